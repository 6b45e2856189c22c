// Three dice in WebGL: drawn, lit and nothing else. The poses come from
// `poses.ts`; which faces are up comes from the house. Runs in a worker of its
// own (`dice3d.worker.ts`), so that a frame of dice costs the page nothing.
// Why not a library: docs/decisions/0066.
import { isRed, pipRadius, PIPS } from '../../lib/dice';
import { NORMALS, resting, tumbling, type Pose } from './poses';

export type Faces = readonly [number, number, number];

/** Dice in the air, dice at rest, or none at all. */
export type Shown = Faces | 'tumbling' | 'none';

export interface DiceDrawing {
  show(what: Shown): void;
  /** The picture is so large now, in pixels. */
  size(wide: number, high: number): void;
}

const VERTEX = `#version 300 es
uniform mat4 view; uniform mat3 turn; uniform vec3 at; uniform float size;
in vec3 place; in vec3 normal; in vec2 skin;
out vec3 n; out vec2 uv; out vec3 world;
void main() { world = turn * place * size + at; n = turn * normal; uv = skin; gl_Position = view * vec4(world, 1.0); }`;

const FRAGMENT = `#version 300 es
precision mediump float;
uniform sampler2D skins; uniform vec3 eye; uniform float flatness;
in vec3 n; in vec2 uv; in vec3 world;
out vec4 colour;
void main() {
  if (flatness > 0.0) { float far = length(uv * 2.0 - 1.0); float dark = flatness * pow(max(0.0, 1.0 - far), 1.6); colour = vec4(vec3(0.05, 0.04, 0.02) * dark, dark); return; }
  vec3 up = normalize(n); vec3 light = normalize(vec3(-0.35, 1.0, 0.45)); vec3 look = normalize(eye - world);
  float lit = 0.6 + 0.22 * up.y + 0.34 * max(0.0, dot(up, light));
  float shine = 0.35 * pow(max(0.0, dot(up, normalize(light + look))), 48.0);
  float low = mix(0.74, 1.0, smoothstep(-0.05, 0.55, world.y));
  colour = vec4(texture(skins, uv).rgb * lit * low + shine, 1.0);
}`;

const STEPS = 10;
const ROUND = 0.2;
const CELL = 256;

/** A cube with round edges: places, normals and skins of six faces. */
function cube(): { data: Float32Array; order: Uint16Array } {
  const data: number[] = [];
  const order: number[] = [];
  for (let face = 1; face <= 6; face += 1) {
    const up = NORMALS[face] ?? [0, 1, 0];
    // Two directions along the face that make a right-handed frame with its normal.
    const along: readonly number[] = up[0] !== 0 ? [0, 0, -up[0]] : [1, 0, 0];
    const across = [up[1] * (along[2] ?? 0) - up[2] * (along[1] ?? 0), up[2] * (along[0] ?? 0) - up[0] * (along[2] ?? 0), up[0] * (along[1] ?? 0) - up[1] * (along[0] ?? 0)];
    const first = data.length / 8;
    for (let i = 0; i <= STEPS; i += 1)
      for (let j = 0; j <= STEPS; j += 1) {
        const [u, v] = [(i / STEPS) * 2 - 1, (j / STEPS) * 2 - 1];
        const on = [0, 1, 2].map((axis) => (up[axis] ?? 0) + (along[axis] ?? 0) * u + (across[axis] ?? 0) * v);
        const inner = on.map((x) => Math.max(-1 + ROUND, Math.min(1 - ROUND, x)));
        const out = on.map((x, axis) => x - (inner[axis] ?? 0));
        const long = Math.hypot(...out) || 1;
        const n = out.map((x) => x / long);
        data.push(...inner.map((x, axis) => (x + (n[axis] ?? 0) * ROUND) / 2), ...n);
        data.push((((face - 1) % 3) + (u + 1) / 2) / 3, (Math.floor((face - 1) / 3) + (v + 1) / 2) / 2);
      }
    for (let i = 0; i < STEPS; i += 1)
      for (let j = 0; j < STEPS; j += 1) {
        const a = first + i * (STEPS + 1) + j;
        order.push(a, a + STEPS + 1, a + 1, a + 1, a + STEPS + 1, a + STEPS + 2);
      }
  }
  return { data: new Float32Array(data), order: new Uint16Array(order) };
}

/** The six faces side by side, as on the drawn dice. */
function skins(): OffscreenCanvas {
  const canvas = new OffscreenCanvas(CELL * 3, CELL * 2);
  const pen = canvas.getContext('2d');
  if (!pen) return canvas;
  pen.fillStyle = '#fbf6e6';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  for (let face = 1; face <= 6; face += 1) {
    const [left, top] = [((face - 1) % 3) * CELL, Math.floor((face - 1) / 3) * CELL];
    for (const [x, y] of PIPS[face] ?? []) {
      const [cx, cy, r] = [left + (x / 100) * CELL, top + (y / 100) * CELL, (pipRadius(face) / 100) * CELL * 0.95];
      const paint = pen.createRadialGradient(cx - r * 0.2, cy - r * 0.3, r * 0.1, cx, cy, r);
      paint.addColorStop(0, isRed(face) ? '#7d0d13' : '#050507');
      paint.addColorStop(0.8, isRed(face) ? '#c41f24' : '#17171b');
      paint.addColorStop(1, isRed(face) ? '#e2453f' : '#3d3d45');
      pen.fillStyle = paint;
      pen.beginPath();
      pen.arc(cx, cy, r, 0, Math.PI * 2);
      pen.fill();
    }
  }
  return canvas;
}

/** A camera above the plate, looking down at it: a matrix by columns, and where the eye is. */
function camera(aspect: number, steep: number): { view: Float32Array; eye: [number, number, number] } {
  const turn = (steep * Math.PI) / 180;
  // All three dice are in sight, however the picture is cut.
  const away = Math.max(8.6, 14.2 / Math.max(0.4, aspect));
  const [s, c] = [Math.sin(turn), Math.cos(turn)];
  const eye: [number, number, number] = [0, 0.35 + away * s, away * c];
  const f = 1 / Math.tan((26 * Math.PI) / 360);
  const [near, far] = [1, 60];
  const [a, b] = [(far + near) / (near - far), (2 * far * near) / (near - far)];
  // Right is x; up and back follow from looking down by `turn`.
  const back = [0, s, c];
  const up = [0, c, -s];
  const ty = -((up[1] ?? 0) * eye[1] + (up[2] ?? 0) * eye[2]);
  const tz = -((back[1] ?? 0) * eye[1] + (back[2] ?? 0) * eye[2]);
  const fx = f / aspect;
  return {
    // prettier-ignore
    view: new Float32Array([
      fx, 0, 0, 0,
      0, f * (up[1] ?? 0), a * (back[1] ?? 0), -(back[1] ?? 0),
      0, f * (up[2] ?? 0), a * (back[2] ?? 0), -(back[2] ?? 0),
      0, f * ty, a * tz + b, -tz,
    ]),
    eye,
  };
}

/** The camera rises over dice at rest; they themselves do not move. */
const RISE_MS = 900;
const STEEP = [58, 76] as const;
/** Frames over which a device shows whether it can draw at all. */
const TRIAL_FRAMES = 40;
const SLOW_MS = 55;

/** Draws on a canvas; null where it cannot. `onslow` when the device turned out too slow for it. */
export function drawDice(canvas: OffscreenCanvas, onslow: () => void): DiceDrawing | null {
  const gl = canvas.getContext('webgl2', { alpha: true, antialias: true, powerPreference: 'low-power', desynchronized: false });
  if (!gl) return null;
  const program = gl.createProgram();
  for (const [sort, source] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]] as const) {
    const shader = gl.createShader(sort);
    if (!shader) return null;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  for (const [at, name] of ['place', 'normal', 'skin'].entries()) gl.bindAttribLocation(program, at, name);
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) return null;
  gl.useProgram(program);
  const uniform = (name: string): WebGLUniformLocation | null => gl.getUniformLocation(program, name);
  const [view, turn, at, size, eye, flatness] = ['view', 'turn', 'at', 'size', 'eye', 'flatness'].map(uniform);

  const shape = (data: Float32Array, order: Uint16Array): { held: WebGLVertexArrayObject; count: number } => {
    const held = gl.createVertexArray();
    gl.bindVertexArray(held);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, order, gl.STATIC_DRAW);
    for (const [index, width, from] of [[0, 3, 0], [1, 3, 12], [2, 2, 24]] as const) {
      gl.enableVertexAttribArray(index);
      gl.vertexAttribPointer(index, width, gl.FLOAT, false, 32, from);
    }
    return { held, count: order.length };
  };
  const { data, order } = cube();
  const die = shape(data, order);
  // prettier-ignore
  const shadow = shape(new Float32Array([-1, 0, -1, 0, 1, 0, 0, 0, 1, 0, -1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1, -1, 0, 1, 0, 1, 0, 0, 1]), new Uint16Array([0, 2, 1, 0, 3, 2]));
  gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, skins());
  gl.generateMipmap(gl.TEXTURE_2D);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
  gl.enable(gl.DEPTH_TEST);
  gl.enable(gl.CULL_FACE);
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);

  let what: Shown = 'none';
  let since = 0;
  let next = 0;
  let before = 0;
  let slow = 0;
  let frames = 0;

  function draw(now: number): void {
    if (!gl) return;
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    if (what === 'none') return;
    const passed = now - since;
    const rise = what === 'tumbling' ? 0 : 1 - (1 - Math.min(1, passed / RISE_MS)) ** 3;
    const seen = camera(canvas.width / Math.max(1, canvas.height), STEEP[0] + (STEEP[1] - STEEP[0]) * rise);
    gl.uniformMatrix4fv(view ?? null, false, seen.view);
    gl.uniform3fv(eye ?? null, seen.eye);
    const poses: Pose[] = what === 'tumbling' ? [0, 1, 2].map((n) => tumbling(n, passed)) : what.map((face, n) => resting(face, n));
    gl.bindVertexArray(shadow.held);
    gl.depthMask(false);
    gl.disable(gl.CULL_FACE);
    gl.uniformMatrix3fv(turn ?? null, false, [1, 0, 0, 0, 1, 0, 0, 0, 1]);
    for (const pose of poses) {
      const up = Math.max(0, pose.at[1] - 0.5);
      gl.uniform1f(flatness ?? null, 0.85 / (1 + up));
      gl.uniform1f(size ?? null, 0.86 + up * 0.35);
      gl.uniform3f(at ?? null, pose.at[0] + 0.1, 0.01, pose.at[2] + 0.06);
      gl.drawElements(gl.TRIANGLES, shadow.count, gl.UNSIGNED_SHORT, 0);
    }
    gl.depthMask(true);
    gl.enable(gl.CULL_FACE);
    gl.uniform1f(flatness ?? null, 0);
    gl.uniform1f(size ?? null, 1);
    gl.bindVertexArray(die.held);
    for (const { rotation, at: place } of poses) {
      // WebGL wants columns.
      gl.uniformMatrix3fv(turn ?? null, true, rotation);
      gl.uniform3f(at ?? null, place[0], place[1], place[2]);
      gl.drawElements(gl.TRIANGLES, die.count, gl.UNSIGNED_SHORT, 0);
    }
  }

  function frame(now: number): void {
    next = 0;
    if (before > 0 && frames < TRIAL_FRAMES) {
      frames += 1;
      slow += now - before;
      if (frames === TRIAL_FRAMES && slow / frames >= SLOW_MS) onslow();
    }
    before = now;
    draw(now);
    // At rest nothing is drawn again until something changes.
    if (what === 'tumbling' || (what !== 'none' && now - since < RISE_MS)) next = requestAnimationFrame(frame);
    else before = 0;
  }

  const again = (): void => {
    if (next === 0) next = requestAnimationFrame(frame);
  };
  return {
    show(now) {
      if (now === what || (typeof now !== 'string' && typeof what !== 'string' && now.join() === what.join())) return;
      what = now;
      since = performance.now();
      again();
    },
    size(wide, high) {
      if (wide <= 0 || high <= 0 || (canvas.width === wide && canvas.height === high)) return;
      [canvas.width, canvas.height] = [wide, high];
      again();
    },
  };
}

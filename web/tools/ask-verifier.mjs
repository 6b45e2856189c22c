// Asks the verifier for browsers each question of a folder, in the order of their names; prints an answer a line.
// `node tools/ask-verifier.mjs sicbo_check.wasm FOLDER`
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [program, folder] = process.argv.slice(2);
const module = new WebAssembly.Module(readFileSync(program));
for (const name of readdirSync(folder).sort()) {
  const question = readFileSync(join(folder, name));
  const { memory, input, check, output_len: length } = new WebAssembly.Instance(module).exports;
  const at = input(question.length);
  new Uint8Array(memory.buffer, at, question.length).set(question);
  const found = check();
  console.log(new TextDecoder().decode(new Uint8Array(memory.buffer, found, length())));
}

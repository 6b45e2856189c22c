// The house's verifier, compiled to WebAssembly and carried inside this page: a question and a receipt in, an answer out.

/** What the receipt must be of. What is left out is not compared. */
export interface Question {
  house?: string;
  table?: string;
  round?: number;
  station?: string;
  code?: string;
  voucher?: number;
}

export interface Line {
  section: string;
  stake: number;
  odds: number | null;
  returned: number;
}

export interface Proof {
  house: string;
  house_given: boolean;
  table: string;
  name: string;
  round: number;
  station: string;
  book: string;
  layout: string;
  currency: string;
  decimals: number;
  real_money: boolean;
  signed_ms: number;
  dice: [number, number, number] | null;
  amended: number;
  lines: Line[];
  staked: number;
  returned: number;
  code: string;
  code_proof: 'derived' | 'signed';
  records: number;
  headers: number;
  checkpoints: number;
  remarks: string[];
}

export const REASONS = [
  'question', 'not_a_receipt', 'newer_format', 'damaged', 'house', 'signature', 'chain', 'record', 'records',
  'no_station', 'table', 'round', 'station', 'code', 'voucher',
] as const;
export type Reason = (typeof REASONS)[number];

/** What the house says of a voucher. */
export interface VoucherProof {
  house: string;
  house_given: boolean;
  voucher: number;
  table: string;
  station: string;
  sequence: number;
  issued_ms: number;
  expires_ms: number;
  currency: string;
  decimals: number;
  amount: number;
  ends: string;
  state: string;
  real_money: boolean;
  signed_ms: number;
}

export type Answer = ({ answer: 'voucher' } & VoucherProof) | ({ answer: 'proved' } & Proof) | { answer: 'refused'; reason: Reason; detail: string };

interface Exports {
  memory: WebAssembly.Memory;
  input(length: number): number;
  check(): number;
  output_len(): number;
}

/** The program in this page, packed by gzip and written in base64. */
async function unpacked(): Promise<WebAssembly.Module> {
  const text = document.getElementById('verifier')?.textContent ?? '';
  const packed = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

let program: Promise<WebAssembly.Module> | null = null;

/** Asks the verifier. Each question has a memory of its own. */
export async function check(question: Question, receipt: Uint8Array): Promise<Answer> {
  const module = await (program ??= unpacked());
  const { exports } = await WebAssembly.instantiate(module);
  const { memory, input, check: answer, output_len: length } = exports as unknown as Exports;
  const asked = new TextEncoder().encode(`${JSON.stringify(question)}\n`);
  const size = asked.length + receipt.length;
  const at = input(size);
  new Uint8Array(memory.buffer, at, size).set(asked);
  new Uint8Array(memory.buffer, at + asked.length, receipt.length).set(receipt);
  try {
    const found = answer();
    return JSON.parse(new TextDecoder().decode(new Uint8Array(memory.buffer, found, length()))) as Answer;
  } catch (error) {
    // Records that nobody could have played stop the program.
    return { answer: 'refused', reason: 'records', detail: String(error) };
  }
}

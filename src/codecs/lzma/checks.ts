/** The integrity checks of .xz blocks (xz-file-format 2.1.1.2): CRC-32, CRC-64, SHA-256. */
import { crc32 } from "../checksums.ts";

export interface Check {
  readonly name: string;
  /** Bytes, as they are stored. */
  readonly compute: (bytes: Uint8Array) => Uint8Array;
}

const CHECKS: ReadonlyMap<number, Check> = new Map([
  [1, { name: "CRC-32", compute: (bytes: Uint8Array) => littleEndian([crc32(bytes)]) }],
  [4, { name: "CRC-64", compute: (bytes: Uint8Array) => littleEndian(crc64(bytes)) }],
  [10, { name: "SHA-256", compute: sha256 }],
]);

/** `undefined` where there is none or it is not known, which liblzma reads over. */
export function checkOf(id: number): Check | undefined {
  return CHECKS.get(id);
}

/** Bytes of the check, of those that are not known too. */
export function checkBytes(id: number): number {
  return id === 0 ? 0 : 2 ** (2 + Math.floor((id - 1) / 3));
}

function littleEndian(words: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(4 * words.length);
  const view = new DataView(bytes.buffer);
  words.forEach((word, at) => view.setUint32(4 * at, word, true));
  return bytes;
}

/** Low and high half of each entry: polynomial 0xc96c5795d7870f42 (ECMA-182, lowest bit first). */
let table: Int32Array | undefined;

/** Low and high half. */
function crc64(bytes: Uint8Array): readonly [number, number] {
  table ??= crcTable();
  let [low, high] = [-1, -1];
  for (const byte of bytes) {
    const entry = ((low ^ byte) & 255) * 2;
    low = ((low >>> 8) | (high << 24)) ^ (table[entry] as number);
    high = (high >>> 8) ^ (table[entry + 1] as number);
  }
  return [~low >>> 0, ~high >>> 0];
}

function crcTable(): Int32Array {
  const entries = new Int32Array(512);
  for (let byte = 0; byte < 256; byte++) {
    let [low, high] = [byte, 0];
    for (let bit = 0; bit < 8; bit++) {
      const isOdd = (low & 1) !== 0;
      low = (low >>> 1) | (high << 31);
      high >>>= 1;
      if (isOdd) [low, high] = [low ^ 0xd787_0f42, high ^ 0xc96c_5795];
    }
    entries.set([low, high], 2 * byte);
  }
  return entries;
}

let constants: { readonly start: Uint32Array; readonly rounds: Uint32Array } | undefined;

/** The platform's own answers later and is missing where a page is not served over https; blocks are read in one go. */
function sha256(bytes: Uint8Array): Uint8Array {
  constants ??= sha256Constants();
  const state = Uint32Array.from(constants.start);
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, bytes.length * 8);
  const words = new Uint32Array(64);
  for (let from = 0; from < padded.length; from += 64) {
    for (let i = 0; i < 16; i++) words[i] = view.getUint32(from + 4 * i);
    compress(state, words, constants.rounds);
  }
  const result = new Uint8Array(32);
  const target = new DataView(result.buffer);
  state.forEach((word, at) => target.setUint32(4 * at, word));
  return result;
}

/** Fractions of square and cube roots of the first primes (FIPS 180-4 §4.2.2, §5.3.3), found with exact integers. */
function sha256Constants() {
  const primes: number[] = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  const fraction = (prime: number, power: bigint) => {
    const scaled = BigInt(prime) << (32n * power);
    let root = 0n;
    for (let bit = 1n << 36n; bit > 0n; bit >>= 1n) if ((root + bit) ** power <= scaled) root += bit;
    return Number(root & 0xffff_ffffn);
  };
  return {
    start: Uint32Array.from(primes.slice(0, 8), (prime) => fraction(prime, 2n)),
    rounds: Uint32Array.from(primes, (prime) => fraction(prime, 3n)),
  };
}

function turn(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

/** One block (FIPS 180-4 §6.2.2). `words`: its 16 words, with room for 48 more. */
function compress(state: Uint32Array, words: Uint32Array, rounds: Uint32Array): void {
  const word = (at: number) => words[at] as number;
  for (let i = 16; i < 64; i++) {
    const [early, late] = [word(i - 15), word(i - 2)];
    const first = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
    const second = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
    words[i] = word(i - 16) + first + word(i - 7) + second;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i++) {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const first = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + (rounds[i] as number) + word(i)) | 0;
    const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((value, at) => {
    state[at] = (state[at] as number) + value;
  });
}

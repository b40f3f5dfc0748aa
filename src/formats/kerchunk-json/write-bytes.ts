/** JSON bytes in pieces of a megabyte, written without making a string a row. */

/** Bytes of a piece; only a value that is longer makes a longer one. */
export const PIECE = 1 << 20;

const ZERO = 48;
const encoder = new TextEncoder();

export class JsonBytes {
  #bytes = new Uint8Array(PIECE);
  #used = 0;
  #ready: Uint8Array<ArrayBuffer>[] = [];

  /** Whether there is a full piece to be taken. */
  get hasPiece(): boolean {
    return this.#ready.length > 0;
  }

  /** Full pieces, in order; they are the caller's from then on. */
  take(): readonly Uint8Array<ArrayBuffer>[] {
    const pieces = this.#ready;
    this.#ready = [];
    return pieces;
  }

  /** Full pieces and what has been begun. */
  takeAll(): readonly Uint8Array<ArrayBuffer>[] {
    if (this.#used > 0) this.#endPiece(PIECE);
    return this.take();
  }

  text(text: string): void {
    this.bytes(encoder.encode(text));
  }

  bytes(source: Uint8Array): void {
    const { length } = source;
    this.#room(length);
    const bytes = this.#bytes;
    const at = this.#used;
    // For the short ones a loop is faster than the call.
    if (length < 32) for (let i = 0; i < length; i += 1) bytes[at + i] = source[i] as number;
    else bytes.set(source, at);
    this.#used = at + length;
  }

  byte(byte: number): void {
    this.#room(1);
    this.#bytes[this.#used] = byte;
    this.#used += 1;
  }

  /** A safe integer that is not negative, in decimal digits. */
  digits(value: number): void {
    this.#room(16);
    if (value < 1e9) return this.#small(value, digitsOf(value));
    const high = Math.floor(value / 1e9);
    this.#small(high, digitsOf(high));
    this.#small(value - high * 1e9, 9);
  }

  /** `value` below 2^31. */
  #small(value: number, count: number): void {
    const bytes = this.#bytes;
    let rest = value | 0;
    for (let at = this.#used + count - 1; at >= this.#used; at -= 1) {
      const tens = (rest / 10) | 0;
      bytes[at] = ZERO + rest - tens * 10;
      rest = tens;
    }
    this.#used += count;
  }

  #room(length: number): void {
    if (this.#used + length > this.#bytes.length) this.#endPiece(Math.max(PIECE, length));
  }

  #endPiece(next: number): void {
    if (this.#used > 0) this.#ready.push(this.#bytes.subarray(0, this.#used));
    this.#bytes = new Uint8Array(next);
    this.#used = 0;
  }
}

function digitsOf(value: number): number {
  if (value < 1e4) return value < 100 ? (value < 10 ? 1 : 2) : value < 1000 ? 3 : 4;
  if (value < 1e7) return value < 1e5 ? 5 : value < 1e6 ? 6 : 7;
  return value < 1e8 ? 8 : 9;
}

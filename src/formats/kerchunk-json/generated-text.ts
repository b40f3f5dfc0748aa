/** JSON text of generated members as bytes, written without making a string a member. */
import type { GeneratedEntry } from "#core/table/version1.ts";

/** How a document writes a slash inside a URL. */
export type Slash = "/" | "\\/";

const FIRST_SIZE = 1 << 16;
const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const ZERO = 48;
/** Characters. */
const LONG = 40;
const encoder = new TextEncoder();

/** 1: stands inside a JSON string as it is. */
const PLAIN = new Uint8Array(256).fill(1, 32, 127);
PLAIN[QUOTE] = 0;
PLAIN[BACKSLASH] = 0;

export class GeneratedText {
  readonly #slash: Slash;
  #bytes = new Uint8Array(FIRST_SIZE);
  #used = 0;
  /** The URL of the member before, and where it stands: the next has it often too. */
  #last: string | undefined;
  #lastFrom = 0;
  #lastTo = 0;

  constructor(slash: Slash) {
    this.#slash = slash;
  }

  get length(): number {
    return this.#used;
  }

  /** Bytes written since the last call; valid until the next member is written. */
  take(): Uint8Array {
    const taken = this.#bytes.subarray(0, this.#used);
    this.#used = 0;
    this.#last = undefined;
    return taken;
  }

  /** `,"key":["url",offset,length]` */
  member({ key, url, offset, length }: GeneratedEntry): void {
    this.#byte(COMMA);
    this.#byte(QUOTE);
    this.#content(key, "/");
    this.#byte(QUOTE);
    this.#byte(58);
    this.#byte(91);
    this.#byte(QUOTE);
    this.#url(url);
    this.#byte(QUOTE);
    if (offset !== undefined && length !== undefined) {
      this.#byte(COMMA);
      this.#integer(offset);
      this.#byte(COMMA);
      this.#integer(length);
    }
    this.#byte(93);
  }

  /** A URL as it would stand between the quotes. */
  url(url: string): Uint8Array {
    this.#content(url, this.#slash);
    return this.take();
  }

  #url(url: string): void {
    if (url === this.#last) {
      const length = this.#lastTo - this.#lastFrom;
      if (this.#used + length > this.#bytes.length) this.#grow(length);
      this.#bytes.copyWithin(this.#used, this.#lastFrom, this.#lastTo);
      this.#used += length;
      return;
    }
    this.#last = url;
    this.#lastFrom = this.#used;
    this.#content(url, this.#slash);
    this.#lastTo = this.#used;
  }

  #byte(byte: number): void {
    if (this.#used === this.#bytes.length) this.#grow(1);
    this.#bytes[this.#used++] = byte;
  }

  #content(text: string, slash: Slash): void {
    const { length } = text;
    if (length > LONG && slash === "/") return this.#long(text);
    if (this.#used + 2 * length > this.#bytes.length) this.#grow(2 * length);
    const bytes = this.#bytes;
    let at = this.#used;
    for (let i = 0; i < length; i += 1) {
      const code = text.charCodeAt(i);
      if (PLAIN[code] !== 1) return this.#escaped(text, slash);
      if (code === 47 && slash !== "/") bytes[at++] = BACKSLASH;
      bytes[at++] = code;
    }
    this.#used = at;
  }

  /** Encoded, then looked at: of a long text that was put together from parts, single characters are slow to get. */
  #long(text: string): void {
    const from = this.#used;
    this.#encoded(text);
    const bytes = this.#bytes;
    for (let at = from; at < this.#used; at += 1) {
      if (PLAIN[bytes[at] as number] === 1) continue;
      this.#used = from;
      return this.#escaped(text, "/");
    }
  }

  #escaped(text: string, slash: Slash): void {
    const content = JSON.stringify(text).slice(1, -1);
    this.#encoded(slash === "/" ? content : content.replaceAll("/", slash));
  }

  #encoded(text: string): void {
    if (this.#used + 3 * text.length > this.#bytes.length) this.#grow(3 * text.length);
    this.#used += encoder.encodeInto(text, this.#bytes.subarray(this.#used)).written;
  }

  #integer(value: number | bigint): void {
    if (typeof value === "bigint" || value < 0 || value > 999_999_999) return this.#encoded(`${value}`);
    let rest = value | 0;
    let count = 1;
    for (let limit = 10; rest >= limit; limit *= 10) count += 1;
    if (this.#used + count > this.#bytes.length) this.#grow(count);
    for (let at = this.#used + count - 1; at >= this.#used; at -= 1) {
      const tens = (rest / 10) | 0;
      this.#bytes[at] = ZERO + rest - tens * 10;
      rest = tens;
    }
    this.#used += count;
  }

  #grow(least: number): void {
    const larger = new Uint8Array(Math.max(2 * this.#bytes.length, this.#used + least));
    larger.set(this.#bytes.subarray(0, this.#used));
    this.#bytes = larger;
  }
}

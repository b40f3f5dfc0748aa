/** Big-endian fields of a NetCDF-3 header, one after another; what is damaged is named with the place where it is. */
import type { FileBytes } from "#core/file-bytes.ts";
import { failure } from "#core/findings/finding.ts";
import { targetAt } from "#core/findings/fact.ts";

/** The header goes on behind the bytes that were fetched. */
export class MoreNeeded extends Error {}

const UTF8 = new TextDecoder();

/** `bytes`: from the file's first byte on. */
export class HeaderFields {
  at = 0;
  readonly #view: DataView;
  readonly #file: FileBytes;
  readonly #bytes: Uint8Array;
  /** Bytes of counts, lengths and dimension numbers: 8 in CDF-5. */
  wide: 4 | 8 = 4;

  constructor(file: FileBytes, bytes: Uint8Array) {
    this.#file = file;
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  take(structure: string, length: number): Uint8Array {
    const end = this.at + length;
    if (end > this.#file.size)
      this.fail(structure, { expected: "inside the file", found: `the file's end at ${this.#file.size}` });
    if (end > this.#bytes.length) throw new MoreNeeded();
    return this.#bytes.subarray(this.at, (this.at = end));
  }

  u32(structure: string): number {
    this.take(structure, 4);
    return this.#view.getUint32(this.at - 4);
  }

  /** An unsigned integer of 4 or 8 bytes; above 2^53 the nearest double. */
  uint(structure: string, size: number = this.wide): number {
    return size === 4 ? this.u32(structure) : this.u32(structure) * 2 ** 32 + this.u32(structure);
  }

  /** How many follow that take `least` bytes each: no more than there is room for in the file. */
  count(structure: string, least: number, size: number = this.wide): number {
    const begin = this.at;
    const found = this.uint(structure, size);
    const room = this.#file.size - this.at;
    if (found * least > room) {
      this.at = begin;
      this.fail(structure, { expected: `a count that fits ${room} bytes`, found: String(found) });
    }
    return found;
  }

  /** A list's tag, how many it has, and each of them. Two zeros stand for an empty list. */
  list<T>(structure: string, tag: number, least: number, one: (number: number) => T): readonly T[] {
    const begin = this.at;
    const found = this.u32(structure);
    const length = this.count(structure, least);
    if (found !== tag && (found !== 0 || length !== 0)) {
      this.at = begin;
      this.fail(structure, { expected: `marked with ${tag}`, found: String(found) });
    }
    return Array.from({ length }, (_, number) => one(number));
  }

  /** Padded to four bytes. */
  padded(structure: string, length: number): Uint8Array {
    return this.take(structure, Math.ceil(length / 4) * 4).subarray(0, length);
  }

  name(structure: string): string {
    const begin = this.at;
    const text = UTF8.decode(this.padded(structure, this.count(structure, 1)));
    if (text !== "" && !text.includes("/")) return text;
    this.at = begin;
    return this.fail(structure, { expected: "named, without a slash", found: JSON.stringify(text) });
  }

  /** After "The structure at this place should be". */
  fail(structure: string, facts: { readonly expected: string; readonly found: string }): never {
    const place = targetAt(this.#file.name);
    throw failure("data-file-damaged", place, { format: "NetCDF", structure, offset: this.at, ...facts });
  }
}

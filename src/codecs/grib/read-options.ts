/** Options of reading a message: which reader to follow, and how much to read. */
import { decodeTooLarge } from "../codec.ts";
import type { Reader } from "./scale.ts";

export interface ReadOptions {
  readonly codec: string;
  readonly reader: Reader;
  /** Most values, whatever the message claims. */
  readonly maximum: number;
  /** Most bytes of output, for the error. */
  readonly limit: number;
}

/** Throws `decode-too-large` before memory is taken. */
export function checkCount(count: number, { codec, maximum, limit }: ReadOptions): void {
  if (count > maximum) throw decodeTooLarge(codec, limit, `${count} values in the message, as it says itself`);
}

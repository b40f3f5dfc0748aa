/** Byte ranges as requests write them (RFC 9110 §14). */
import type { ByteRange, CallContext } from "../core/byte-source.ts";
import { failure, targetAt } from "../core/findings/finding.ts";

/** Closed, so that a browser sends it to another origin without asking first (Fetch, "simple range header value"). */
export const rangeHeader = (range: ByteRange): string => `bytes=${range.offset}-${range.offset + range.length - 1}`;

/** @throws RefscopeError `range-invalid` where offset or length is not an exact number of bytes. */
export function checkRange(range: ByteRange, where: string): void {
  const { offset, length } = range;
  const sound = Number.isSafeInteger(offset) && Number.isSafeInteger(length) && offset >= 0 && length >= 0;
  if (sound && Number.isSafeInteger(offset + length)) return;
  throw failure("range-invalid", targetAt(where), { offset, length });
}

/** @throws RefscopeError `response-too-large` where the caller takes no object of `size` bytes. */
export function checkWhole(size: number, where: string, { most = Infinity }: CallContext): void {
  if (size > most) throw failure("response-too-large", targetAt(where), { size, limit: most });
}

export interface ContentRange {
  /** Absent in the answer to a range that cannot be satisfied. */
  readonly first?: number;
  readonly last?: number;
  readonly size?: number;
}

/** `bytes 0-99/1000`, `bytes 0-99/*`, `bytes * /1000`; `undefined` for anything else. */
export function parseContentRange(text: string | null): ContentRange | undefined {
  const match = /^\s*bytes\s+(?:(\d+)-(\d+)|\*)\/(\d+|\*)\s*$/i.exec(text ?? "");
  if (match === null) return undefined;
  const [, first, last, size] = match;
  return {
    ...(first === undefined ? {} : { first: Number(first), last: Number(last) }),
    ...(size === undefined || size === "*" ? {} : { size: Number(size) }),
  };
}

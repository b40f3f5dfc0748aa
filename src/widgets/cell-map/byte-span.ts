/** Which bytes a strip shows: magnifying and moving along them. Pure. */

/** Bytes; `to` excluded. */
export interface ByteSpan {
  readonly from: number;
  readonly to: number;
}

function clamped(from: number, length: number, size: number): ByteSpan {
  const start = Math.max(0, Math.min(from, size - length));
  return { from: start, to: start + length };
}

/** Magnifies by `factor`; what is at `at` (0 to 1 of what is seen) stays there. */
export function zoomSpan(seen: ByteSpan, factor: number, at: number, size: number, least: number): ByteSpan {
  const length = seen.to - seen.from;
  const next = Math.max(Math.min(least, size), Math.min(size, length / factor));
  return clamped(seen.from + at * (length - next), next, size);
}

/** Moves by `bytes`, as far as there are any. */
export function panSpan(seen: ByteSpan, bytes: number, size: number): ByteSpan {
  return clamped(seen.from + bytes, seen.to - seen.from, size);
}

/** The least move that shows the start of `bytes`, and all of it where it fits. */
export function revealSpan(seen: ByteSpan, bytes: ByteSpan, size: number): ByteSpan {
  const length = seen.to - seen.from;
  if (bytes.from < seen.from || bytes.to - bytes.from >= length) return clamped(bytes.from, length, size);
  return bytes.to > seen.to ? clamped(bytes.to - length, length, size) : seen;
}

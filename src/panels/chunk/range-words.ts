/** The range of a chunk as declared and as a trial moves it. */
import type { ByteRange } from "../../core/byte-source.ts";
import type { Reading } from "../../core/reading.ts";
import { formatCount } from "../../widgets/number-format.ts";
import { rangeOf } from "./curl-command.ts";

interface Move {
  readonly shift: number;
  readonly lengthen: number;
}

/** The reference's range; without one it begins at 0 and has as many bytes as arrived. */
export function declaredRange(reading: Reading): ByteRange {
  return rangeOf(reading) ?? { offset: 0, length: reading.stages[0]?.bytesOut ?? 0 };
}

/** JSON text of the reference as moved: `["a.nc", 1020, 6851]`; `undefined` where it has no range. */
export function movedText(reading: Reading, { shift, lengthen }: Move): string | undefined {
  const range = rangeOf(reading);
  if (range === undefined) return undefined;
  return `[${urlText(reading.written)}, ${range.offset + shift}, ${range.length + lengthen}]`;
}

function urlText(written: string): string {
  try {
    const value: unknown = JSON.parse(written);
    return Array.isArray(value) ? JSON.stringify(value[0]) : "null";
  } catch {
    return "null";
  }
}

/** `+12`, `−4`; nothing for 0. */
export function signedText(count: number): string {
  if (count === 0) return "";
  return `${count > 0 ? "+" : "−"}${formatCount(Math.abs(count))}`;
}

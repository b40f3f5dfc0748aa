/** Run-length packing with levels (FM 92, template 7.200): radar of Japan's agency, among others. */
import { damaged } from "./failure.ts";
import { bitReader, takeInto } from "./numbers.ts";
import type { RunLength } from "./packing.ts";

/**
 * A number up to `maximum` is a level; those after it that are larger say, digit by digit from the lowest, how much more
 * often it stands than once. `count` values; without levels or numbers all are missing (NaN), as eccodes has it.
 * Throws `decode-failed`.
 */
export function unpackRuns(
  codec: string,
  data: Uint8Array,
  { bits, maximum, levels }: RunLength,
  count: number,
): Float64Array<ArrayBuffer> {
  const out = new Float64Array(count);
  const stored = bits === 0 ? 0 : Math.floor((data.length * 8) / bits);
  if (stored === 0 || maximum === 0) return out.fill(Number.NaN);
  const numbers = new Float64Array(stored);
  takeInto(bitReader(data, 0), bits, { out: numbers, at: 0, count: stored, add: 0 });
  const digits = 2 ** bits - 1 - maximum;
  let at = 0;
  let next = 0;
  while (next < stored && at < count) {
    const level = numbers[next++] as number;
    if (level > maximum) throw damaged(codec, 7, `a level, at most ${maximum}, to begin with`, String(level));
    let length = 1;
    for (let factor = 1; next < stored && (numbers[next] as number) > maximum; factor *= digits) {
      length += factor * ((numbers[next++] as number) - maximum - 1);
    }
    if (length > count - at) throw damaged(codec, 7, `${count - at} more values`, `a run of ${length}`);
    out.fill(levels[level] as number, at, at + length);
    at += length;
  }
  if (at < count) throw damaged(codec, 7, `${count} values`, `runs of ${at} in all`);
  return out;
}

/** Section 6: which points of the grid have a value (FM 92, code table 6.0). */
import { failure } from "../../core/findings/failure.ts";
import { WHOLE_SET } from "../../core/findings/place.ts";
import { damaged } from "./failure.ts";

/** The bits, a point each, from the highest of each byte on; `undefined` where all points have values. */
export function readBitmap(codec: string, section6: Uint8Array, points: number): Uint8Array | undefined {
  const indicator = section6[5] as number;
  if (indicator === 255) return undefined;
  if (indicator === 254) {
    throw damaged(codec, 6, "a bit-map, or none", "the bit-map of a field before, but this is the message's first");
  }
  if (indicator !== 0) throw failure("grib-bitmap-unsupported", WHOLE_SET, { codec, indicator });
  const bytes = Math.ceil(points / 8);
  if (section6.length - 6 >= bytes) return section6.subarray(6, 6 + bytes);
  throw damaged(codec, 6, `a bit-map of ${bytes} bytes for ${points} points`, `${section6.length - 6} bytes`);
}

/** Spreads coded values over the points that have one; the others are NaN. More values than points with one are not an error to eccodes. */
export function spread(
  codec: string,
  coded: Float64Array,
  bitmap: Uint8Array,
  points: number,
): Float64Array<ArrayBuffer> {
  const out = new Float64Array(points);
  let next = 0;
  for (let i = 0; i < points; i++) {
    const isThere = ((bitmap[i >> 3] as number) & (128 >> (i & 7))) !== 0;
    out[i] = isThere ? (coded[next++] ?? NaN) : NaN;
  }
  if (next <= coded.length || coded.length === 0) return out;
  throw damaged(codec, 6, `a bit-map with at most ${coded.length} points set, a value each`, `${next} points set`);
}

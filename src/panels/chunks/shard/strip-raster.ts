/** What each pixel of the strip shows where several chunks share one. Pure. */
import { ENTRY_STATES, isDamaged, type ShardMap } from "../../../core/shard-map.ts";
import { firstPlaceAfter, spanOf, type ByteSpan, type FileOrder } from "./file-order.ts";

/** Instead of an ordinal: bytes of no chunk, of the index. */
export const DEAD = -1;
export const INDEX = -2;

export interface StripRaster {
  /** Pixels of all rows one after the other. */
  readonly pixels: number;
  /**
   * For each pixel the ordinal of the chunk shown, or `DEAD`, or `INDEX`: a damaged chunk before all others, else what
   * has the most bytes in it.
   */
  readonly owners: Int32Array<ArrayBuffer>;
}

const DAMAGED = ENTRY_STATES.map(isDamaged);

export function rasterStrip(map: ShardMap, order: FileOrder, seen: ByteSpan, pixels: number): StripRaster {
  const owners = new Int32Array(pixels).fill(DEAD);
  const length = seen.to - seen.from;
  if (pixels === 0 || length <= 0) return { pixels, owners };
  const sums = { owners, most: new Float64Array(pixels), used: new Float64Array(pixels), scale: pixels / length };
  for (let place = firstPlaceAfter(order, seen.from); place < order.ordinals.length; place += 1) {
    const inner = order.ordinals[place] ?? 0;
    if ((map.offsets[inner] ?? 0) >= seen.to) break;
    const span = spanOf(map, inner);
    if (span !== undefined) paint(sums, seen, span, inner, DAMAGED[map.codes[inner] ?? 0] === true);
  }
  leaveDead(sums);
  paintIndex(sums, map, seen);
  return { pixels, owners };
}

interface Sums {
  readonly owners: Int32Array;
  /** Share of the pixel that its owner has; over 1 for damaged ones. */
  readonly most: Float64Array;
  /** Share of the pixel that is used. */
  readonly used: Float64Array;
  /** Pixels a byte. */
  readonly scale: number;
}

/** Damaged entries outbid any other. */
const OUTBID = 2;

function paint({ owners, most, used, scale }: Sums, seen: ByteSpan, span: ByteSpan, inner: number, bad: boolean): void {
  const from = Math.max(0, (span.from - seen.from) * scale);
  const to = Math.min(owners.length, (span.to - seen.from) * scale);
  for (let pixel = Math.floor(from); pixel < to; pixel += 1) {
    const share = Math.min(to, pixel + 1) - Math.max(from, pixel);
    used[pixel] = (used[pixel] ?? 0) + share;
    const bid = bad ? OUTBID + share : share;
    if (bid <= (most[pixel] ?? 0)) continue;
    most[pixel] = bid;
    owners[pixel] = inner;
  }
}

/** Pixels that are more than half dead are shown so, unless a damaged chunk is in them. */
function leaveDead({ owners, most, used }: Sums): void {
  for (let pixel = 0; pixel < owners.length; pixel += 1) {
    if ((used[pixel] ?? 0) < 0.5 && (most[pixel] ?? 0) < OUTBID) owners[pixel] = DEAD;
  }
}

/** The index has at least one pixel. Damaged chunks that reach into it stay in front. */
function paintIndex({ owners, most, scale }: Sums, { index }: ShardMap, seen: ByteSpan): void {
  const from = (index.offset - seen.from) * scale;
  const to = from + index.length * scale;
  if (index.length === 0 || to <= 0 || from >= owners.length) return;
  const first = Math.max(0, Math.min(Math.round(from), Math.ceil(to) - 1, owners.length - 1));
  const end = Math.min(owners.length, Math.max(Math.round(to), first + 1));
  for (let pixel = first; pixel < end; pixel += 1) {
    if ((most[pixel] ?? 0) < OUTBID) owners[pixel] = INDEX;
  }
}

/** The bytes of a target as a strip of pixels. */
import type { CallContext } from "../../core/byte-source.ts";
import { STRIP_KINDS, type SourceStrip, type StripKind } from "../../core/sources.ts";
import { startPace } from "../pace.ts";
import { blockOf } from "../table/batch.ts";
import { eachOverlap, firstReaching, isSame } from "./claims-of-target.ts";
import type { TargetClaims } from "./target-claims.ts";
import type { SourceIndex } from "./source-index.ts";

export interface StripWindow {
  /** Bytes; `to` excluded. */
  readonly from: number;
  readonly to: number;
  readonly pixels: number;
  /** Of the target, where it is known. */
  readonly size: number | undefined;
}

const MAX_PIXELS = 16_384;
const LOOK = 0x3fff;

interface Painting {
  readonly from: number;
  /** Pixels a byte. */
  readonly scale: number;
  readonly kinds: Uint8Array<ArrayBuffer>;
  /** Pixels' shares that ranges name, and the most that one array has. */
  readonly claimed: Float64Array;
  readonly most: Float64Array;
  readonly owners: Uint8Array<ArrayBuffer>;
  readonly begins: Uint8Array<ArrayBuffer>;
}

/** `arrays`: ids of those that refer to the target, in the order of its detail; -1 for strays of none. */
export async function claimStrip(
  sources: SourceIndex,
  claims: TargetClaims,
  arrays: readonly number[],
  window: StripWindow,
  context: CallContext,
): Promise<SourceStrip> {
  const { from, to, size } = window;
  const pixels = Math.max(0, Math.min(MAX_PIXELS, Math.floor(window.pixels)));
  const painting: Painting = {
    from,
    scale: to > from ? pixels / (to - from) : 0,
    kinds: new Uint8Array(pixels),
    claimed: new Float64Array(pixels),
    most: new Float64Array(pixels),
    owners: new Uint8Array(pixels),
    begins: new Uint8Array(pixels),
  };
  const colours = new Uint8Array(0x1_0000);
  for (const [at, id] of arrays.slice(0, 255).entries()) if (id >= 0) colours[id] = at + 1;
  const pace = startPace(context, "Drawing bytes", claims.count);
  const first = firstReaching(claims, from);
  for (let at = first; at < claims.count && (claims.from[at] as number) < to; at += 1) {
    paintClaim(painting, sources, claims, at, colours, size);
    if ((at & LOOK) === LOOK) await pace.yieldIfDue(at);
  }
  eachOverlap(claims, first, (start, end) => {
    if (start >= to) return false;
    mark(painting, "overlap", start, end);
    return true;
  });
  const shares = Uint8Array.from(painting.claimed, (share) =>
    share === 0 ? 0 : Math.max(1, Math.min(255, Math.round(share * 255))),
  );
  return { from, to, kinds: painting.kinds, shares, owners: painting.owners, begins: painting.begins };
}

function paintClaim(
  painting: Painting,
  { index }: SourceIndex,
  claims: TargetClaims,
  at: number,
  colours: Uint8Array,
  size: number | undefined,
): void {
  const [from, to] = [claims.from[at] as number, claims.to[at] as number];
  const row = claims.rows[at] as number;
  if (from >= painting.from) painting.begins[Math.floor((from - painting.from) * painting.scale)] = 1;
  const owner = colours[blockOf(index.table, row).array[row & 0xffff] as number] as number;
  paint(painting, [from, to], at === 0 ? 0 : (claims.reach[at - 1] as number), owner);
  mark(painting, isSame(claims, at, at - 1) || isSame(claims, at, at + 1) ? "shared" : "claimed", from, to);
  if (size !== undefined && to > size) mark(painting, "past-end", Math.max(from, size), to);
}

/** `reached`: bytes before it are counted already. */
function paint(
  { from: start, scale, claimed, most, owners }: Painting,
  [from, to]: readonly [from: number, to: number],
  reached: number,
  owner: number,
): void {
  const first = Math.max(0, (from - start) * scale);
  const end = Math.min(claimed.length, (to - start) * scale);
  const fresh = Math.max(first, (reached - start) * scale);
  for (let pixel = Math.floor(first); pixel < end; pixel += 1) {
    const upper = Math.min(end, pixel + 1);
    const share = upper - Math.max(first, pixel);
    (claimed[pixel] as number) += Math.max(0, upper - Math.max(fresh, pixel));
    if (share <= (most[pixel] as number)) continue;
    most[pixel] = share;
    owners[pixel] = owner;
  }
}

/** At least one pixel: what is wrong with a single byte must be seen. */
function mark({ from: start, scale, kinds }: Painting, kind: StripKind, from: number, to: number): void {
  const code = STRIP_KINDS.indexOf(kind);
  const end = Math.min(kinds.length, (to - start) * scale);
  for (let pixel = Math.max(0, Math.floor((from - start) * scale)); pixel < end; pixel += 1) {
    if ((kinds[pixel] as number) < code) kinds[pixel] = code;
  }
}

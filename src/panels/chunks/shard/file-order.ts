/** Inner chunks in the order of their bytes, and which of them lies at a byte. Pure. */
import { firstPlace } from "#core/basics.ts";
import type { ByteSpan } from "#widgets/cell-map/use-byte-span.ts";
import { ENTRY_STATES, type EntryState, isDamaged, type ShardMap } from "#core/table/shard-map.ts";
import { missingColour, packed, type Palette, type Rgb } from "#widgets/cell-map/palette.ts";
import { type LengthScale, lengthShare, type MapColour } from "../cell-colours.ts";

export type { ByteSpan };

export interface FileOrder {
  /** Ordinals of all entries that have bytes inside the shard, damaged and shared ones too, by offset, then ordinal. */
  readonly ordinals: Uint32Array<ArrayBuffer>;
  /** Furthest end of the entries up to each place: they may lie across one another. */
  readonly reach: Float64Array<ArrayBuffer>;
  /** Place in `ordinals` by ordinal, or -1. */
  readonly places: Int32Array<ArrayBuffer>;
}

export const stateOf = (map: ShardMap, inner: number): EntryState => ENTRY_STATES[map.codes[inner] ?? 0] ?? "empty";

/** Bytes of an entry that lie in the shard; `undefined` where there are none. */
export function spanOf(map: ShardMap, inner: number): ByteSpan | undefined {
  const from = map.offsets[inner] ?? -1;
  const to = Math.min(map.size, from + (map.lengths[inner] ?? 0));
  return from >= 0 && to > from ? { from, to } : undefined;
}

export function orderEntries(map: ShardMap): FileOrder {
  const count = map.codes.length;
  const places = new Int32Array(count).fill(-1);
  const ordinals = sortedOrdinals(map);
  const reach = new Float64Array(ordinals.length);
  let furthest = 0;
  for (let place = 0; place < ordinals.length; place += 1) {
    const inner = ordinals[place] ?? 0;
    furthest = Math.max(furthest, spanOf(map, inner)?.to ?? 0);
    reach[place] = furthest;
    places[inner] = place;
  }
  return { ordinals, reach, places };
}

/** Most are in order already in `inFileOrder`, so that the sort only has to merge in what is not (shared, damaged). */
function sortedOrdinals(map: ShardMap): Uint32Array<ArrayBuffer> {
  const { offsets, inFileOrder, codes } = map;
  const known = new Uint8Array(codes.length);
  const ordinals: number[] = [];
  const add = (inner: number) => {
    if (known[inner] !== 0 || spanOf(map, inner) === undefined) return;
    known[inner] = 1;
    ordinals.push(inner);
  };
  for (const inner of inFileOrder) add(inner);
  for (let inner = 0; inner < codes.length; inner += 1) add(inner);
  return Uint32Array.from(ordinals.sort((a, b) => (offsets[a] ?? 0) - (offsets[b] ?? 0) || a - b));
}

/** The first place whose entry, or one before it, reaches past a byte: nothing before it has bytes from there on. */
export function firstPlaceAfter({ reach }: FileOrder, byte: number): number {
  return firstPlace(0, reach.length, (place) => (reach[place] ?? 0) <= byte);
}

/** The entry at a byte, or else the nearest after it, or else the last; `undefined` where there is none at all. */
export function entryNear(order: FileOrder, byte: number): number | undefined {
  const place = firstPlaceAfter(order, byte);
  return order.ordinals[Math.min(place, order.ordinals.length - 1)];
}

/** How keys move from chunk to chunk along the file; `undefined` where they do not. `row` is the bytes of a row. */
export function movedInFile(
  map: ShardMap,
  order: FileOrder,
  inner: number,
  press: { readonly key: string; readonly row: number; readonly page: number },
): number | undefined {
  const { ordinals, places } = order;
  const last = ordinals.length - 1;
  const place = places[inner] ?? -1;
  const from = spanOf(map, inner)?.from;
  // A chunk without bytes has no place: the way into the file is its start.
  const step = (by: number) => ordinals[place < 0 ? 0 : Math.max(0, Math.min(last, place + by))];
  const jump = (bytes: number, by: number) => {
    if (from === undefined) return step(0);
    const near = entryNear(order, Math.max(0, from + bytes));
    return near === inner ? step(by) : near;
  };
  const moves = new Map([
    ["ArrowLeft", () => step(-1)],
    ["ArrowRight", () => step(1)],
    ["ArrowUp", () => jump(-press.row, -1)],
    ["ArrowDown", () => jump(press.row, 1)],
    ["PageUp", () => jump(-press.page, -1)],
    ["PageDown", () => jump(press.page, 1)],
    ["Home", () => ordinals[0]],
    ["End", () => ordinals[last]],
  ]);
  return moves.get(press.key)?.();
}

/** Colours of inner chunks. */
export interface Tints {
  readonly colour: MapColour;
  /** Steps of the ramp, by ordinal. */
  readonly steps: Uint8Array;
}

/** Steps of the ramp by ordinal, 0 to 255: by length, else by place in the inner grid. */
export function rampSteps(map: ShardMap, scale: LengthScale | undefined): Uint8Array<ArrayBuffer> {
  const last = Math.max(1, map.codes.length - 1);
  return Uint8Array.from(map.codes, (_, inner) =>
    Math.round(255 * (scale === undefined ? inner / last : lengthShare(map.lengths[inner] ?? 0, scale))),
  );
}

/** One packed colour a cell of the grid. */
export function cellPixels(
  owners: Int32Array,
  map: ShardMap,
  steps: Uint8Array,
  colours: readonly Rgb[],
  palette: Palette,
): Uint32Array<ArrayBuffer> {
  const tints = Uint32Array.from(colours, packed);
  const empty = packed(missingColour(palette));
  const bad = packed(palette["--bad"]);
  const out = new Uint32Array(owners.length);
  for (let at = 0; at < owners.length; at += 1) {
    const inner = owners[at] ?? 0;
    const state = stateOf(map, inner);
    out[at] = state === "empty" ? empty : isDamaged(state) ? bad : (tints[steps[inner] ?? 0] ?? empty);
  }
  return out;
}

/** Colours of inner chunks. Pure. */
import { isDamaged, type ShardMap } from "#core/table/shard-map.ts";
import { missingColour, packed, type Palette, type Rgb } from "#widgets/cell-map/palette.ts";
import { type LengthScale, lengthShare, type MapColour } from "../cell-colours.ts";
import { stateOf } from "./file-order.ts";

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

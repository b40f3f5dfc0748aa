/** The order in which a tile's packets come (ITU-T T.800 §B.12). */
import type { ProgressionChange, ProgressionOrder } from "./code-stream.ts";
import type { Precinct, TileLayout } from "./layout.ts";

export interface PacketPlace {
  readonly component: number;
  readonly resolution: number;
  readonly precinct: Precinct;
  readonly layer: number;
}

/** A precinct with what orders it among the others. */
interface Placed extends Omit<PacketPlace, "layer"> {
  readonly index: number;
}

/** Packets one after another; of those that several progressions have, only the first counts. */
export function* packetOrder(tile: TileLayout, changes: readonly ProgressionChange[]): Generator<PacketPlace> {
  const { style, components } = tile;
  const all: ProgressionChange = {
    order: style.order,
    resolution: 0,
    component: 0,
    layerEnd: style.layers,
    resolutionEnd: 33,
    componentEnd: components.length,
  };
  for (const change of changes.length === 0 ? [all] : changes) {
    const layers = Math.min(change.layerEnd, style.layers);
    yield* inOrder(change.order, placedWithin(tile, change), layers);
  }
}

function placedWithin({ components }: TileLayout, change: ProgressionChange): Placed[] {
  return components.flatMap(({ resolutions }, component) =>
    component < change.component || component >= change.componentEnd
      ? []
      : resolutions.flatMap(({ precincts }, resolution) =>
          resolution < change.resolution || resolution >= change.resolutionEnd
            ? []
            : precincts.map((precinct, index) => ({ component, resolution, precinct, index })),
        ),
  );
}

type Compare = (one: Placed, other: Placed) => number;

const byResolution: Compare = (one, other) => one.resolution - other.resolution;
const byComponent: Compare = (one, other) => one.component - other.component;
const byIndex: Compare = (one, other) => one.index - other.index;
const byPlace: Compare = (one, other) => one.precinct.y - other.precinct.y || one.precinct.x - other.precinct.x;

const ORDERS: Readonly<Record<ProgressionOrder, readonly Compare[]>> = {
  0: [byResolution, byComponent, byIndex],
  1: [byResolution, byComponent, byIndex],
  2: [byResolution, byPlace, byComponent, byIndex],
  3: [byPlace, byComponent, byResolution, byIndex],
  4: [byComponent, byPlace, byResolution, byIndex],
};

function* inOrder(order: ProgressionOrder, placed: Placed[], layers: number): Generator<PacketPlace> {
  const compares = ORDERS[order];
  placed.sort((one, other) => {
    for (const compare of compares) {
      const difference = compare(one, other);
      if (difference !== 0) return difference;
    }
    return 0;
  });
  if (order === 0) {
    for (let layer = 0; layer < layers; layer++) yield* layerOf(placed, layer);
  } else if (order === 1) {
    for (let from = 0; from < placed.length;) {
      let to = from;
      while (placed[to]?.resolution === placed[from]?.resolution && to < placed.length) to++;
      const alike = placed.slice(from, to);
      for (let layer = 0; layer < layers; layer++) yield* layerOf(alike, layer);
      from = to;
    }
  } else {
    for (const place of placed) for (let layer = 0; layer < layers; layer++) yield* layerOf([place], layer);
  }
}

/** Where an earlier progression brought the layer, there is no packet. */
function* layerOf(placed: readonly Placed[], layer: number): Generator<PacketPlace> {
  for (const { component, resolution, precinct } of placed) {
    if (precinct.layers <= layer) yield { component, resolution, precinct, layer };
  }
}

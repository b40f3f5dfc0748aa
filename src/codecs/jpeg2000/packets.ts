/** The packets of a tile (ITU-T T.800 §B.9, §B.10): which passes of which code-blocks they bring. */
import { joinBytes } from "#core/bytes.ts";
import { type ProgressionChange, type ProgressionOrder, type Tile, damaged, type Source } from "./code-stream.ts";
import type { BandPrecinct, Block, OpenSegment, Precinct, Resolution, TileComponent, TileLayout } from "./layout.ts";

// Code-block style (T.800 Table A.19).
const BYPASS = 1;
const EACH_PASS = 4;
/** Passes of the first segment where arithmetic coding is bypassed later: those of four bit planes. */
const BEFORE_BYPASS = 10;
const NO_END = 1000;
const MOST_LENGTH_BITS = 32;

interface Reader {
  readonly bytes: Uint8Array;
  at: number;
}

/**
 * Puts the data of all packets into the blocks of the layout. Data that end early leave blocks without. Throws
 * `decode-failed`.
 */
export function readPackets(source: Source, tile: Tile, layout: TileLayout): void {
  const reader: Reader = { bytes: joinBytes(tile.parts), at: 0 };
  const part = `tile ${tile.index}`;
  for (const { component, resolution, precinct } of packetOrder(layout, tile.parameters.changes)) {
    if (reader.at >= reader.bytes.length) return;
    const { coding, shift, resolutions } = layout.components[component] as TileComponent;
    const { bands, blocksOf } = resolutions[resolution] as Resolution;
    const mostPlanes = bands.map(({ planes }) => planes + shift);
    const context = { source, part, layer: precinct.layers, style: coding.blockStyle, mostPlanes };
    for (const { segment, length } of readPacketHead(reader, blocksOf(precinct), context)) {
      const end = reader.at + length;
      if (end > reader.bytes.length) {
        throw damaged(source, part, `${length} bytes of a code-block`, `${reader.bytes.length - reader.at} bytes`);
      }
      segment.parts.push(reader.bytes.subarray(reader.at, end));
      reader.at = end;
    }
    precinct.layers += 1;
  }
}

interface Context {
  readonly source: Source;
  readonly part: string;
  readonly layer: number;
  readonly style: number;
  /** Most bit planes of each band. */
  readonly mostPlanes: readonly number[];
}

interface Body {
  readonly segment: OpenSegment;
  readonly length: number;
}

function readPacketHead(reader: Reader, bands: readonly BandPrecinct[], context: Context): readonly Body[] {
  const { bytes } = reader;
  // Start of packet, with its number (SOP).
  if (bytes[reader.at] === 0xff && bytes[reader.at + 1] === 0x91) reader.at += 6;
  const { bit, finish } = headBits(reader);
  const bodies: Body[] = [];
  if (bit() === 1) {
    for (const [band, { blocks, inclusion, emptyPlanes }] of bands.entries()) {
      for (const [at, block] of blocks.entries()) {
        const isNew = block.emptyPlanes === undefined;
        const isIncluded = isNew ? inclusion.isBelow(at, context.layer + 1, bit) : bit() === 1;
        if (!isIncluded) continue;
        if (isNew) block.emptyPlanes = readEmptyPlanes(emptyPlanes, at, bit, { ...context, band });
        readBlockHead(block, bit, context, bodies);
      }
    }
  }
  finish();
  // End of packet head (EPH).
  if (bytes[reader.at] === 0xff && bytes[reader.at + 1] === 0x92) reader.at += 2;
  return bodies;
}

type Bit = () => number;

/** After a byte of all ones, the next has seven bits (§B.10.1). Past the end are zeros: nothing more is included. */
function headBits(reader: Reader) {
  let byte = 0;
  let left = 0;
  const next = () => {
    left = byte === 0xff ? 7 : 8;
    byte = reader.bytes[reader.at++] ?? 0;
  };
  return {
    bit: () => {
      if (left === 0) next();
      left -= 1;
      return (byte >> left) & 1;
    },
    finish: () => {
      if (byte === 0xff) reader.at += 1;
    },
  };
}

function readBits(count: number, bit: Bit): number {
  let value = 0;
  for (let i = 0; i < count; i++) value = value * 2 + bit();
  return value;
}

function readEmptyPlanes(
  tree: BandPrecinct["emptyPlanes"],
  at: number,
  bit: Bit,
  { source, part, mostPlanes, band }: Context & { readonly band: number },
): number {
  const most = mostPlanes[band] ?? 0;
  let empty = 0;
  while (!tree.isBelow(at, empty + 1, bit)) {
    empty += 1;
    if (empty > most) throw damaged(source, part, `at most ${most} empty bit planes`, "more");
  }
  return empty;
}

/** How many passes of the block the packet brings, and in how many bytes (§B.10.6, §B.10.7). */
function readBlockHead(block: Block, bit: Bit, { source, part, style }: Context, bodies: Body[]): void {
  let passes = readPasses(bit);
  while (bit() === 1) {
    block.lengthBits += 1;
    if (block.lengthBits > MOST_LENGTH_BITS) throw damaged(source, part, "lengths of at most 32 bits", "more");
  }
  while (passes > 0) {
    const segment = openSegment(block, style);
    const now = Math.min(passes, segment.most - segment.passes);
    const length = readBits(block.lengthBits + Math.floor(Math.log2(now)), bit);
    segment.passes += now;
    block.passes += now;
    passes -= now;
    bodies.push({ segment, length });
  }
}

/** Table B.4. */
function readPasses(bit: Bit): number {
  if (bit() === 0) return 1;
  if (bit() === 0) return 2;
  const two = readBits(2, bit);
  if (two < 3) return 3 + two;
  const five = readBits(5, bit);
  if (five < 31) return 6 + five;
  return 37 + readBits(7, bit);
}

/** The last segment while it has room, else another: §D.4 says where segments end. */
function openSegment({ segments }: Block, style: number): OpenSegment {
  const last = segments.at(-1);
  if (last !== undefined && last.passes < last.most) return last;
  const segment = { passes: 0, most: mostPasses(style, last), parts: [] };
  segments.push(segment);
  return segment;
}

function mostPasses(style: number, last: OpenSegment | undefined): number {
  if ((style & EACH_PASS) !== 0) return 1;
  if ((style & BYPASS) === 0) return NO_END;
  if (last === undefined) return BEFORE_BYPASS;
  return last.most === 2 ? 1 : 2;
}

// The order in which a tile's packets come (ITU-T T.800 §B.12).

interface PacketPlace {
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
function* packetOrder(tile: TileLayout, changes: readonly ProgressionChange[]): Generator<PacketPlace> {
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

/** An earlier progression may have brought the layer; then there is no packet. */
function* layerOf(placed: readonly Placed[], layer: number): Generator<PacketPlace> {
  for (const { component, resolution, precinct } of placed) {
    if (precinct.layers <= layer) yield { component, resolution, precinct, layer };
  }
}

/** Divides a tile (ITU-T T.800 Annex B) into components, resolutions, bands, precincts and code-blocks. */
import type { Segment } from "./block-memory.ts";
import { ceilDivide, componentRectangle, tileRectangle, damaged } from "./code-stream.ts";
import type { CodingStyle, ImageSize, Quantization, Rectangle, Tile, TileStyle, Source } from "./code-stream.ts";

export interface Block extends Rectangle {
  /** Bit planes that are not coded; `undefined` until a packet brings the block. */
  emptyPlanes: number | undefined;
  /** Passes that packets have brought. */
  passes: number;
  /** Bits of a length, before those for the count of passes. */
  lengthBits: number;
  readonly segments: OpenSegment[];
}

/** More packets may add to the last segment of a block. */
export interface OpenSegment extends Segment {
  passes: number;
  readonly most: number;
  readonly parts: Uint8Array[];
}

/** The blocks of a band in a precinct. */
export interface BandPrecinct {
  readonly across: number;
  readonly blocks: readonly Block[];
  readonly inclusion: TagTree;
  readonly emptyPlanes: TagTree;
}

export interface Precinct {
  /** Position on the reference grid, for progressions by position. */
  readonly x: number;
  readonly y: number;
  /** Among those of its resolution, from the grid's origin. */
  readonly column: number;
  readonly row: number;
  /** Layers that packets have brought. */
  layers: number;
  /** One for each band of the resolution; `undefined` until a packet is read. */
  bands: readonly BandPrecinct[] | undefined;
}

export interface Band extends Rectangle {
  /** 0 LL, 1 HL, 2 LH, 3 HH. */
  readonly orientation: number;
  /** Bit planes that its coefficients may have. */
  readonly planes: number;
  /** Factor of each coefficient (irreversible only). */
  readonly step: number;
}

export interface Resolution extends Rectangle {
  readonly bands: readonly Band[];
  readonly precincts: readonly Precinct[];
  /** Lays them out where they are not yet. Throws `decode-failed`. */
  readonly blocksOf: (precinct: Precinct) => readonly BandPrecinct[];
}

export interface TileComponent extends Rectangle {
  readonly coding: CodingStyle;
  /** Shift of a region of interest. */
  readonly shift: number;
  /** From the smallest. */
  readonly resolutions: readonly Resolution[];
}

export interface TileLayout {
  readonly index: number;
  readonly style: TileStyle;
  readonly components: readonly TileComponent[];
}

/** How many resolutions, precincts and blocks there may yet be: each takes memory before its packets are looked at. */
export interface PartsBudget {
  left: number;
}

/** Those of a flat image of a gigapixel, which takes next to no bytes. */
const FREE_PARTS = 400_000;
const PARTS_A_BYTE = 8;
/** Time that a part takes, in units of one code-block's: measured. */
const PARTS_A_RESOLUTION = 8;
const PARTS_A_COMPONENT = 16;

/** Budget of parts for a whole code stream of this many bytes. */
export const partsBudget = (bytes: number): PartsBudget => ({ left: FREE_PARTS + PARTS_A_BYTE * bytes });

/** Throws `decode-failed`. */
export function layOutTile(source: Source, size: ImageSize, tile: Tile, budget: PartsBudget): TileLayout {
  const part = `tile ${tile.index}`;
  const { style } = tile.parameters;
  if (style === undefined) throw damaged(source, part, "a coding style (COD)", "none");
  const take = (count: number) => {
    budget.left -= count;
    if (budget.left >= 0) return;
    throw damaged(source, part, "precincts and code-blocks in keeping with the length of the data", "too many");
  };
  const area = tileRectangle(size, tile.index);
  const components = size.components.map((component, index) => {
    const coding = tile.parameters.componentCoding.get(index) ?? tile.parameters.coding;
    const quantization = tile.parameters.componentQuantization.get(index) ?? tile.parameters.quantization;
    if (coding === undefined || quantization === undefined) {
      throw damaged(source, part, "a coding style and a quantization for each component", "none");
    }
    const rectangle = componentRectangle(area, component);
    const shift = tile.parameters.shifts.get(index) ?? 0;
    take(PARTS_A_COMPONENT);
    // Without samples there are no packets either.
    if (rectangle.x1 <= rectangle.x0 || rectangle.y1 <= rectangle.y0) {
      return { ...rectangle, coding, shift, resolutions: [] };
    }
    take((coding.levels + 1) * PARTS_A_RESOLUTION);
    const make = { source, part, area, coding, quantization, component, rectangle, take };
    const resolutions = Array.from({ length: coding.levels + 1 }, (_, at) => layOutResolution(make, at));
    return { ...rectangle, coding, shift, resolutions };
  });
  return { index: tile.index, style, components };
}

interface Make {
  readonly source: Source;
  readonly part: string;
  readonly area: Rectangle;
  readonly coding: CodingStyle;
  readonly quantization: Quantization;
  readonly component: ImageSize["components"][number];
  readonly rectangle: Rectangle;
  readonly take: (count: number) => void;
}

/** Equation B-15: what a band has of a component, `level` decompositions down. */
function bandRectangle({ x0, y0, x1, y1 }: Rectangle, level: number, orientation: number): Rectangle {
  const scale = 2 ** level;
  const right = (orientation & 1) * (scale / 2);
  const down = (orientation >> 1) * (scale / 2);
  const along = (value: number, shift: number) => ceilDivide(value - shift, scale);
  return { x0: along(x0, right), y0: along(y0, down), x1: along(x1, right), y1: along(y1, down) };
}

function layOutResolution(make: Make, at: number): Resolution {
  const { coding, rectangle } = make;
  const own = bandRectangle(rectangle, coding.levels - at, 0);
  const orientations = at === 0 ? [0] : [1, 2, 3];
  const level = at === 0 ? coding.levels : coding.levels - at + 1;
  const bands = orientations.map((orientation) => layOutBand(make, { at, level, orientation }));
  const { x0, y0, x1, y1 } = own;
  return {
    x0,
    y0,
    x1,
    y1,
    bands,
    precincts: layOutPrecincts(make, at, own),
    blocksOf: (precinct) => (precinct.bands ??= layOutBlocksOf(make, at, bands, precinct)),
  };
}

interface BandPlace {
  readonly at: number;
  readonly level: number;
  readonly orientation: number;
}

/** Annex E.1: how many planes a band may have, and how large a step is. */
function layOutBand({ source, part, coding, quantization, component, rectangle }: Make, place: BandPlace): Band {
  const { at, level, orientation } = place;
  const index = at === 0 ? 0 : 3 * (at - 1) + orientation;
  const { isDerived, steps, guardBits } = quantization;
  const found = steps[isDerived ? 0 : index];
  if (found === undefined)
    throw damaged(source, part, `a quantization step for band ${index}`, `${steps.length} steps`);
  const [first, mantissa] = found;
  const exponent = isDerived && index > 0 ? Math.max(0, first - (at - 1)) : first;
  const gain = orientation === 0 ? 0 : orientation === 3 ? 2 : 1;
  const step = 2 ** (component.depth + gain - exponent) * (1 + mantissa / 2048);
  const planes = guardBits + exponent - 1;
  const { x0, y0, x1, y1 } = bandRectangle(rectangle, level, orientation);
  return { x0, y0, x1, y1, orientation, planes, step: coding.isReversible ? 1 : step };
}

function layOutPrecincts(make: Make, at: number, own: Rectangle): readonly Precinct[] {
  const { area, coding, component, take } = make;
  if (own.x1 <= own.x0 || own.y1 <= own.y0) return [];
  const [width = 15, height = 15] = coding.precincts[at] ?? [];
  const [left, top] = [Math.floor(own.x0 / 2 ** width), Math.floor(own.y0 / 2 ** height)];
  const [right, bottom] = [Math.ceil(own.x1 / 2 ** width), Math.ceil(own.y1 / 2 ** height)];
  take((right - left) * (bottom - top));
  const scale = 2 ** (coding.levels - at);
  const precincts: Precinct[] = [];
  for (let row = top; row < bottom; row++) {
    for (let column = left; column < right; column++) {
      const x = Math.max(area.x0, column * 2 ** width * scale * component.dx);
      const y = Math.max(area.y0, row * 2 ** height * scale * component.dy);
      precincts.push({ x, y, column, row, layers: 0, bands: undefined });
    }
  }
  return precincts;
}

/**
 * The blocks of a precinct, laid out with its first packet: data that end early must not cost what they do not hold.
 */
function layOutBlocksOf(make: Make, at: number, bands: readonly Band[], precinct: Precinct): readonly BandPrecinct[] {
  const { coding, take } = make;
  const [width = 15, height = 15] = coding.precincts[at] ?? [];
  // Bands of all but the lowest resolution have half the samples each way.
  const halving = at === 0 ? 0 : 1;
  const [right, down] = [2 ** (width - halving), 2 ** (height - halving)];
  const { column, row } = precinct;
  const inside = { x0: column * right, y0: row * down, x1: (column + 1) * right, y1: (row + 1) * down };
  const exponents = [
    Math.min(coding.blockWidth, width - halving),
    Math.min(coding.blockHeight, height - halving),
  ] as const;
  return bands.map((band) => layOutBlocks(intersection(band, inside), exponents, take));
}

function intersection(one: Rectangle, other: Rectangle): Rectangle {
  return {
    x0: Math.max(one.x0, other.x0),
    y0: Math.max(one.y0, other.y0),
    x1: Math.min(one.x1, other.x1),
    y1: Math.min(one.y1, other.y1),
  };
}

function layOutBlocks(area: Rectangle, [width, height]: readonly [number, number], take: (count: number) => void) {
  const isEmpty = area.x1 <= area.x0 || area.y1 <= area.y0;
  const [left, top] = [Math.floor(area.x0 / 2 ** width), Math.floor(area.y0 / 2 ** height)];
  const across = isEmpty ? 0 : Math.ceil(area.x1 / 2 ** width) - left;
  const down = isEmpty ? 0 : Math.ceil(area.y1 / 2 ** height) - top;
  take(across * down);
  const blocks = Array.from({ length: across * down }, (_, at): Block => {
    const x = left + (at % across);
    const y = top + Math.floor(at / across);
    const whole = { x0: x * 2 ** width, y0: y * 2 ** height, x1: (x + 1) * 2 ** width, y1: (y + 1) * 2 ** height };
    return { ...intersection(area, whole), emptyPlanes: undefined, passes: 0, lengthBits: 3, segments: [] };
  });
  return { across, blocks, inclusion: tagTree(across, down), emptyPlanes: tagTree(across, down) };
}

// Tag trees (ITU-T T.800 §B.10.2): numbers of a grid, told as far as they are needed.

interface TagTree {
  /** True if the number at a place is below `bound`; takes as many bits as that needs. */
  isBelow(at: number, bound: number, bit: () => number): boolean;
}

interface Level {
  readonly across: number;
  /** The least that a node may be, as far as the bits say. */
  readonly least: Int32Array;
  /** 1 where it is known to be that. */
  readonly isKnown: Uint8Array;
}

/** `across` × `down` leaves. */
function tagTree(across: number, down: number): TagTree {
  const levels: Level[] = [];
  for (let [x, y] = [across, down]; x * y > 0; x = Math.ceil(x / 2), y = Math.ceil(y / 2)) {
    levels.push({ across: x, least: new Int32Array(x * y), isKnown: new Uint8Array(x * y) });
    if (x * y === 1) break;
  }
  return {
    isBelow(at, bound, bit) {
      const [x, y] = [at % across, Math.floor(at / across)];
      let least = 0;
      let isKnown = false;
      for (let depth = levels.length - 1; depth >= 0; depth--) {
        const level = levels[depth] as Level;
        const node = (y >> depth) * level.across + (x >> depth);
        let value = Math.max(level.least[node] as number, least);
        while (value < bound && level.isKnown[node] === 0) {
          if (bit() === 1) level.isKnown[node] = 1;
          else value += 1;
        }
        level.least[node] = value;
        least = value;
        isKnown = level.isKnown[node] === 1;
      }
      return isKnown && least < bound;
    },
  };
}

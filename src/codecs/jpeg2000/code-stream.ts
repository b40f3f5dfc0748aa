/** Reads the marker segments of a JPEG 2000 code stream (ITU-T T.800 Annex A); decodes nothing. */
import { hexBytes } from "#core/bytes.ts";
import type { RefscopeError } from "#core/findings/finding.ts";
import { decodeFailed } from "../codec.ts";

interface Component {
  /** Bits of a sample, 1 to 31. */
  readonly depth: number;
  readonly isSigned: boolean;
  /** Points of the reference grid that a sample represents. */
  readonly dx: number;
  readonly dy: number;
}

export interface Rectangle {
  readonly x0: number;
  readonly y0: number;
  /** The first outside. */
  readonly x1: number;
  readonly y1: number;
}

/** SIZ: the image on its reference grid, and the tiles that it is divided into. */
export interface ImageSize extends Rectangle {
  readonly tileWidth: number;
  readonly tileHeight: number;
  /** Corner of the first tile. */
  readonly tileX: number;
  readonly tileY: number;
  /** Tiles in a row, and rows. */
  readonly across: number;
  readonly down: number;
  readonly components: readonly Component[];
}

/** How a component of a tile is coded (COD, COC). */
export interface CodingStyle {
  readonly levels: number;
  /** Exponents of two. */
  readonly blockWidth: number;
  readonly blockHeight: number;
  /** T.800 Table A.19. */
  readonly blockStyle: number;
  readonly isReversible: boolean;
  /** Exponents of two by resolution. */
  readonly precincts: readonly (readonly [width: number, height: number])[];
}

/** QCD, QCC. */
export interface Quantization {
  readonly guardBits: number;
  /** True if the exponents of all bands follow from the first. */
  readonly isDerived: boolean;
  readonly steps: readonly (readonly [exponent: number, mantissa: number])[];
}

/** 0 LRCP, 1 RLCP, 2 RPCL, 3 PCRL, 4 CPRL (T.800 Table A.16). */
export type ProgressionOrder = 0 | 1 | 2 | 3 | 4;

/** COD: of a whole tile. */
export interface TileStyle {
  readonly order: ProgressionOrder;
  readonly layers: number;
  readonly isTransformed: boolean;
}

/** POC: packets in an order, up to bounds. */
export interface ProgressionChange {
  readonly order: ProgressionOrder;
  readonly resolution: number;
  readonly component: number;
  /** The first outside. */
  readonly layerEnd: number;
  readonly resolutionEnd: number;
  readonly componentEnd: number;
}

/** Parameters of a tile; those of the main header apply to tiles without their own. */
export interface Parameters {
  style: TileStyle | undefined;
  coding: CodingStyle | undefined;
  readonly componentCoding: Map<number, CodingStyle>;
  quantization: Quantization | undefined;
  readonly componentQuantization: Map<number, Quantization>;
  /** Bits that coefficients of a region of interest are shifted by (RGN). */
  readonly shifts: Map<number, number>;
  changes: readonly ProgressionChange[];
}

export interface Tile {
  readonly index: number;
  readonly parameters: Parameters;
  /** Packets, as the tile-parts hold them. */
  readonly parts: Uint8Array[];
}

interface CodeStream {
  readonly size: ImageSize;
  readonly tiles: readonly Tile[];
}

export const ceilDivide = (value: number, by: number): number => Math.ceil(value / by);

/** Samples of a component in a rectangle of the reference grid. */
export function componentRectangle({ x0, y0, x1, y1 }: Rectangle, { dx, dy }: Component): Rectangle {
  return { x0: ceilDivide(x0, dx), y0: ceilDivide(y0, dy), x1: ceilDivide(x1, dx), y1: ceilDivide(y1, dy) };
}

export function tileRectangle(size: ImageSize, index: number): Rectangle {
  const x = size.tileX + (index % size.across) * size.tileWidth;
  const y = size.tileY + Math.floor(index / size.across) * size.tileHeight;
  return {
    x0: Math.max(x, size.x0),
    y0: Math.max(y, size.y0),
    x1: Math.min(x + size.tileWidth, size.x1),
    y1: Math.min(y + size.tileHeight, size.y1),
  };
}

// The contents of single marker segments (ITU-T T.800 Annex A). Each throws `decode-failed` for what the standard does
// not have.

/** Reads a segment's bytes one after another. */
type SegmentReader = ReturnType<typeof segmentReader>;

function segmentReader(source: Source, name: string, bytes: Uint8Array) {
  let at = 0;
  const byte = () => {
    const value = bytes[at++];
    if (value === undefined) throw damaged(source, name, "more bytes in the segment", `${bytes.length} bytes`);
    return value;
  };
  const short = () => byte() * 256 + byte();
  return {
    source,
    /** "SIZ" */
    name,
    left: () => bytes.length - at,
    byte,
    short,
    long: () => short() * 65_536 + short(),
  };
}

function refuse({ source, name }: SegmentReader, expected: string, found: string): Error {
  return damaged(source, name, expected, found);
}

const MAX_TILES = 65_535;
const MAX_COMPONENTS = 16_384;
/** Coefficients with a sign and a bit for rounding have 32 bits here, as in OpenJPEG. */
const MAX_DEPTH = 31;

function readSize(read: SegmentReader): ImageSize {
  const capabilities = read.short();
  if ((capabilities & 0x4000) !== 0) {
    throw refuse(read, "a code stream of JPEG 2000, Part 1", "one of Part 15 (high-throughput JPEG 2000)");
  }
  const [x1, y1, x0, y0] = [read.long(), read.long(), read.long(), read.long()];
  const [tileWidth, tileHeight, tileX, tileY] = [read.long(), read.long(), read.long(), read.long()];
  const count = read.short();
  if (x1 <= x0 || y1 <= y0) throw refuse(read, "an image of at least one pixel", `${x1 - x0} × ${y1 - y0} pixels`);
  const isCovered = tileX <= x0 && tileY <= y0 && tileX + tileWidth > x0 && tileY + tileHeight > y0;
  if (tileWidth === 0 || tileHeight === 0 || !isCovered) {
    const found = `tiles of ${tileWidth} × ${tileHeight} from ${tileX}, ${tileY}; the image begins at ${x0}, ${y0}`;
    throw refuse(read, "tiles of which the first holds the image's first pixel", found);
  }
  const [across, down] = [Math.ceil((x1 - tileX) / tileWidth), Math.ceil((y1 - tileY) / tileHeight)];
  if (across * down > MAX_TILES) throw refuse(read, `at most ${MAX_TILES} tiles`, String(across * down));
  if (count === 0 || count > MAX_COMPONENTS || read.left() < count * 3) {
    throw refuse(read, `1 to ${MAX_COMPONENTS} components, each described`, `${count}, and ${read.left()} bytes`);
  }
  const components = Array.from({ length: count }, () => readComponent(read));
  return { x0, y0, x1, y1, tileWidth, tileHeight, tileX, tileY, across, down, components };
}

function readComponent(read: SegmentReader): Component {
  const precision = read.byte();
  const [dx, dy] = [read.byte(), read.byte()];
  const depth = (precision & 127) + 1;
  if (depth > MAX_DEPTH) throw refuse(read, `samples of 1 to ${MAX_DEPTH} bits`, `${depth} bits`);
  if (dx === 0 || dy === 0) throw refuse(read, "a sample every pixel or less", "a distance of 0");
  return { depth, isSigned: precision > 127, dx, dy };
}

/** COD: of the tile, then of its components. */
function readCodingDefault(read: SegmentReader): readonly [TileStyle, CodingStyle] {
  const flags = read.byte();
  const order = readOrder(read);
  const layers = read.short();
  const transform = read.byte();
  if (layers === 0) throw refuse(read, "at least one layer", "none");
  if (transform > 1) throw refuse(read, "no component transform, or that of Part 1", `transform ${transform}`);
  return [{ order, layers, isTransformed: transform === 1 }, readCodingStyle(read, (flags & 1) !== 0)];
}

function readOrder(read: SegmentReader): ProgressionOrder {
  const order = read.byte();
  if (order > 4) throw refuse(read, "a progression order of 0 to 4", String(order));
  return order as ProgressionOrder;
}

/** The part that COD and COC have in common. */
function readCodingStyle(read: SegmentReader, hasPrecincts: boolean): CodingStyle {
  const levels = read.byte();
  const [blockWidth, blockHeight] = [read.byte() + 2, read.byte() + 2];
  const [blockStyle, transform] = [read.byte(), read.byte()];
  if (levels > 32) throw refuse(read, "at most 32 decompositions", String(levels));
  if (blockWidth > 10 || blockHeight > 10 || blockWidth + blockHeight > 12) {
    throw refuse(read, "code-blocks of at most 4096 coefficients", `2^${blockWidth} × 2^${blockHeight}`);
  }
  if (blockStyle > 63) throw refuse(read, "code-blocks of Part 1", `style ${blockStyle}`);
  if (transform > 1) throw refuse(read, "a wavelet of Part 1 (0 or 1)", String(transform));
  const precincts = Array.from({ length: levels + 1 }, (_, resolution) => {
    const sizes = hasPrecincts ? read.byte() : 255;
    const [width, height] = [sizes & 15, sizes >> 4];
    if (resolution > 0 && (width === 0 || height === 0)) {
      throw refuse(read, "precincts that can be divided among bands", `2^${width} × 2^${height}`);
    }
    return [width, height] as const;
  });
  return { levels, blockWidth, blockHeight, blockStyle, isReversible: transform === 1, precincts };
}

/** The part that QCD and QCC have in common. */
function readQuantization(read: SegmentReader): Quantization {
  const style = read.byte();
  const [kind, guardBits] = [style & 31, style >> 5];
  if (kind > 2) throw refuse(read, "a quantization of style 0, 1 or 2", String(kind));
  const steps: (readonly [number, number])[] = [];
  while (read.left() >= (kind === 0 ? 1 : 2)) {
    const step = kind === 0 ? read.byte() << 8 : read.short();
    steps.push([step >> 11, step & 2047]);
  }
  if (steps.length === 0) throw refuse(read, "at least one step", "none");
  return { guardBits, isDerived: kind === 1, steps };
}

function readProgressionChanges(read: SegmentReader, components: number): readonly ProgressionChange[] {
  const index = () => (components < 257 ? read.byte() : read.short());
  const changes: ProgressionChange[] = [];
  while (read.left() > 0) {
    const [resolution, component, layerEnd] = [read.byte(), index(), read.short()];
    const [resolutionEnd, end] = [read.byte(), index()];
    // A byte has no room for 256, which is written 0.
    const componentEnd = end === 0 ? components : Math.min(end, components);
    changes.push({ resolution, component, layerEnd, resolutionEnd, componentEnd, order: readOrder(read) });
  }
  return changes;
}

/** The component that COC, QCC or RGN is about. */
function readComponentIndex(read: SegmentReader, components: number): number {
  const index = components < 257 ? read.byte() : read.short();
  if (index >= components) throw refuse(read, `a component below ${components}`, String(index));
  return index;
}

/** Reads the shift of a region of interest. */
function readShift(read: SegmentReader): number {
  const style = read.byte();
  if (style !== 0) throw refuse(read, "a region of interest of Part 1 (0)", String(style));
  return read.byte();
}

const START = 0xff4f;
const END = 0xffd9;
const TILE_PART = 0xff90;
const DATA = 0xff93;
const SIZE = 0xff51;

const NAMES: ReadonlyMap<number, string> = new Map([
  [SIZE, "SIZ"],
  [0xff52, "COD"],
  [0xff53, "COC"],
  [0xff5c, "QCD"],
  [0xff5d, "QCC"],
  [0xff5e, "RGN"],
  [0xff5f, "POC"],
  [TILE_PART, "SOT"],
]);
/** Nothing in them changes what is decoded: TLM, PLM, PLT, CRG, COM. */
const SKIPPED: ReadonlySet<number> = new Set([0xff55, 0xff57, 0xff58, 0xff63, 0xff64]);

interface Walk {
  readonly source: Source;
  readonly bytes: Uint8Array;
  at: number;
}

/** Throws `decode-failed`. */
export function readCodeStream(source: Source, bytes: Uint8Array): CodeStream {
  const walk: Walk = { source, bytes, at: 0 };
  if (bytes.length < 2 || takeShort(walk) !== START || takeShort(walk) !== SIZE) {
    const found = bytes.length === 0 ? "nothing" : hexBytes(bytes.subarray(0, 8));
    throw damaged(source, "the main header", "a code stream, which begins with ff 4f ff 51", found);
  }
  const size = readSize(segmentReader(source, "SIZ", takeSegment(walk)));
  const main = noParameters();
  const next = readHeader(walk, size, main);
  if (next !== TILE_PART) throw damaged(source, "the main header", "a tile after it", `marker ${hexOf(next)}`);
  return { size, tiles: readTileParts(walk, size, main) };
}

function readTileParts(walk: Walk, size: ImageSize, main: Parameters): readonly Tile[] {
  const { source, bytes } = walk;
  const count = size.across * size.down;
  const tiles = new Map<number, Tile>();
  for (;;) {
    const from = walk.at - 2;
    const read = segmentReader(source, "SOT", takeSegment(walk));
    const [index, length] = [read.short(), read.long()];
    if (index >= count) throw damaged(source, "SOT", `a tile below ${count}`, `tile ${index}`);
    const known = tiles.get(index);
    const tile = known ?? { index, parameters: copyOf(main), parts: [] };
    tiles.set(index, tile);
    const own = noParameters();
    const next = readHeader(walk, size, own);
    overlay(tile.parameters, own, known === undefined);
    if (next !== DATA) throw damaged(source, `tile ${index}`, "its data (SOD)", `marker ${hexOf(next)}`);
    const end =
      length === 0 ? (shortAt(bytes, bytes.length - 2) === END ? bytes.length - 2 : bytes.length) : from + length;
    if (end < walk.at || end > bytes.length) {
      throw damaged(source, `tile ${index}`, `a tile-part of ${length} bytes`, `${bytes.length - from} bytes`);
    }
    tile.parts.push(bytes.subarray(walk.at, end));
    walk.at = end;
    // If all tiles are there, the bytes after them do not matter, an end marker or others.
    if (walk.at + 2 > bytes.length || takeShort(walk) !== TILE_PART) break;
  }
  if (tiles.size < count) throw damaged(source, "the code stream", `all ${count} tiles`, `${tiles.size}`);
  return [...tiles.values()];
}

/** Segments up to a marker that ends the header, which is given. */
function readHeader(walk: Walk, size: ImageSize, parameters: Parameters): number {
  for (;;) {
    const marker = takeShort(walk);
    if (marker === TILE_PART || marker === DATA || marker === END) return marker;
    const name = NAMES.get(marker);
    if (name !== undefined) {
      const read = segmentReader(walk.source, name, takeSegment(walk));
      readParameter(read, size, parameters);
    } else if (SKIPPED.has(marker)) takeSegment(walk);
    else {
      const packed = marker === 0xff60 || marker === 0xff61;
      const found = packed ? "packet headers apart from the packets (PPM, PPT), which are not read" : hexOf(marker);
      throw damaged(walk.source, "a header", "markers of JPEG 2000, Part 1", found);
    }
  }
}

function readParameter(read: SegmentReader, { components }: ImageSize, parameters: Parameters): void {
  const { length } = components;
  switch (read.name) {
    case "COD":
      [parameters.style, parameters.coding] = readCodingDefault(read);
      break;
    case "COC": {
      const component = readComponentIndex(read, length);
      parameters.componentCoding.set(component, readCodingStyle(read, (read.byte() & 1) !== 0));
      break;
    }
    case "QCD":
      parameters.quantization = readQuantization(read);
      break;
    case "QCC":
      parameters.componentQuantization.set(readComponentIndex(read, length), readQuantization(read));
      break;
    case "RGN":
      parameters.shifts.set(readComponentIndex(read, length), readShift(read));
      break;
    case "POC":
      parameters.changes = appended(read, parameters.changes, readProgressionChanges(read, length));
      break;
    default:
      throw damaged(read.source, read.name, "it only once, at the beginning", "a second one");
  }
}

/** More than any writer makes; each goes through all packets of a tile. */
const MAX_CHANGES = 32;

function appended<Change>(read: SegmentReader, before: readonly Change[], more: readonly Change[]): readonly Change[] {
  const all = [...before, ...more];
  if (all.length <= MAX_CHANGES) return all;
  throw damaged(read.source, "POC", `at most ${MAX_CHANGES} changes of the progression`, String(all.length));
}

function noParameters(): Parameters {
  return {
    style: undefined,
    coding: undefined,
    componentCoding: new Map(),
    quantization: undefined,
    componentQuantization: new Map(),
    shifts: new Map(),
    changes: [],
  };
}

function copyOf(main: Parameters): Parameters {
  return {
    ...main,
    componentCoding: new Map(main.componentCoding),
    componentQuantization: new Map(main.componentQuantization),
    shifts: new Map(main.shifts),
  };
}

/** T.800 §A.6: a tile's COC, then its COD, then the main header's COC, then its COD; so with the others. */
function overlay(parameters: Parameters, own: Parameters, isFirst: boolean): void {
  if (own.coding !== undefined) parameters.componentCoding.clear();
  if (own.quantization !== undefined) parameters.componentQuantization.clear();
  parameters.style = own.style ?? parameters.style;
  parameters.coding = own.coding ?? parameters.coding;
  parameters.quantization = own.quantization ?? parameters.quantization;
  for (const [component, coding] of own.componentCoding) parameters.componentCoding.set(component, coding);
  for (const [component, steps] of own.componentQuantization) parameters.componentQuantization.set(component, steps);
  for (const [component, shift] of own.shifts) parameters.shifts.set(component, shift);
  if (own.changes.length > 0) {
    parameters.changes = isFirst ? own.changes : [...parameters.changes, ...own.changes].slice(0, MAX_CHANGES);
  }
}

function takeShort(walk: Walk): number {
  if (walk.at + 2 > walk.bytes.length) {
    throw damaged(walk.source, "the code stream", "a marker", "the end of the data");
  }
  walk.at += 2;
  return shortAt(walk.bytes, walk.at - 2);
}

const shortAt = (bytes: Uint8Array, at: number): number => (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0);

/** Without its length. */
function takeSegment(walk: Walk): Uint8Array {
  const length = takeShort(walk);
  const end = walk.at - 2 + length;
  if (length < 2 || end > walk.bytes.length) {
    const found = `${walk.bytes.length - walk.at + 2} bytes`;
    throw damaged(walk.source, "a header", `a segment of ${length} bytes`, found);
  }
  const bytes = walk.bytes.subarray(walk.at, end);
  walk.at = end;
  return bytes;
}

const hexOf = (marker: number): string => hexBytes(Uint8Array.of(marker >> 8, marker & 255));

/** Origin of a code stream, for the errors of decoding it. */
export interface Source {
  readonly codec: string;
  /** The part of the codec's data that is the code stream, where there are others. */
  readonly section?: string;
}

export function damaged({ codec, section }: Source, part: string, expected: string, found: string): RefscopeError {
  return decodeFailed(codec, expected, found, section === undefined ? part : `${section}, ${part}`);
}

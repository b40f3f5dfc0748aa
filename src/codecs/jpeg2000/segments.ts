/** The contents of single marker segments (ITU-T T.800 Annex A). Each throws `decode-failed` for what the standard does not have. */
import type {
  CodingStyle,
  Component,
  ImageSize,
  ProgressionChange,
  ProgressionOrder,
  Quantization,
  TileStyle,
} from "./code-stream.ts";
import { damaged, type Source } from "./source.ts";

/** Reads a segment's bytes one after another. */
export interface SegmentReader {
  readonly source: Source;
  /** "SIZ" */
  readonly name: string;
  readonly left: () => number;
  readonly byte: () => number;
  readonly short: () => number;
  readonly long: () => number;
}

export function segmentReader(source: Source, name: string, bytes: Uint8Array): SegmentReader {
  let at = 0;
  const byte = () => {
    const value = bytes[at++];
    if (value === undefined) throw damaged(source, name, "more bytes in the segment", `${bytes.length} bytes`);
    return value;
  };
  const short = () => byte() * 256 + byte();
  return { source, name, left: () => bytes.length - at, byte, short, long: () => short() * 65_536 + short() };
}

function refuse({ source, name }: SegmentReader, expected: string, found: string): Error {
  return damaged(source, name, expected, found);
}

const MAX_TILES = 65_535;
const MAX_COMPONENTS = 16_384;
/** Coefficients with a sign and a bit for rounding have 32 bits here, as in OpenJPEG. */
const MAX_DEPTH = 31;

export function readSize(read: SegmentReader): ImageSize {
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
export function readCodingDefault(read: SegmentReader): readonly [TileStyle, CodingStyle] {
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
export function readCodingStyle(read: SegmentReader, hasPrecincts: boolean): CodingStyle {
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
export function readQuantization(read: SegmentReader): Quantization {
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

export function readProgressionChanges(read: SegmentReader, components: number): readonly ProgressionChange[] {
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
export function readComponentIndex(read: SegmentReader, components: number): number {
  const index = components < 257 ? read.byte() : read.short();
  if (index >= components) throw refuse(read, `a component below ${components}`, String(index));
  return index;
}

/** Of a region of interest. */
export function readShift(read: SegmentReader): number {
  const style = read.byte();
  if (style !== 0) throw refuse(read, "a region of interest of Part 1 (0)", String(style));
  return read.byte();
}

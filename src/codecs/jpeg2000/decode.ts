/**
 * JPEG 2000, Part 1 (ITU-T T.800): from a code stream to the samples of its components. All of Part 1 but packet headers
 * apart from their packets (PPM, PPT), which nothing at hand writes.
 */
import { decodeTooLarge } from "../codec.ts";
import { type BlockDecoder, openBlockDecoder } from "./block-memory.ts";
import { componentRectangle, readCodeStream, tileRectangle, damaged } from "./code-stream.ts";
import type { ImageSize, Rectangle, Tile, Source } from "./code-stream.ts";
import { layOutTile, partsBudget } from "./layout.ts";
import type { Band, Block, PartsBudget, Resolution, TileComponent } from "./layout.ts";
import { readPackets } from "./packets.ts";

export interface ImageComponent {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly isSigned: boolean;
  /** Points of the reference grid between samples. */
  readonly dx: number;
  readonly dy: number;
  /** Samples, row by row. */
  readonly samples: Int32Array<ArrayBuffer>;
}

export interface Image {
  readonly x0: number;
  readonly components: readonly ImageComponent[];
}

export interface ImageOptions {
  /** Refuses an image by its header. */
  readonly accept: (size: ImageSize) => void;
  /** Most bytes that samples may take, at as many bytes as their bits need. */
  readonly limit: number;
  readonly signal?: AbortSignal;
}

/** Throws `decode-failed`, `decode-too-large`, `codec-unavailable`, and AbortError. */
export async function decodeCodeStream(source: Source, bytes: Uint8Array, options: ImageOptions): Promise<Image> {
  const { size, tiles } = readCodeStream(source, bytes);
  options.accept(size);
  const needed = bytesOf(size);
  if (needed > options.limit) {
    throw decodeTooLarge(source.codec, options.limit, `${needed} bytes, as the image's header says`);
  }
  const blocks = await openBlockDecoder(source.codec);
  const components = size.components.map((component): ImageComponent => {
    const { x0, y0, x1, y1 } = componentRectangle(size, component);
    return { ...component, width: x1 - x0, height: y1 - y0, samples: new Int32Array((x1 - x0) * (y1 - y0)) };
  });
  const budget = partsBudget(bytes.length);
  for (const tile of tiles) {
    options.signal?.throwIfAborted();
    decodeTile({ source, size, blocks, budget }, tile, components);
  }
  return { x0: size.x0, components };
}

/** Bytes of all samples, each of 1, 2 or 4. */
export function bytesOf(size: ImageSize): number {
  let sum = 0;
  for (const component of size.components) {
    const { x0, y0, x1, y1 } = componentRectangle(size, component);
    sum += (x1 - x0) * (y1 - y0) * bytesOfSample(component.depth);
  }
  return sum;
}

export const bytesOfSample = (depth: number): 1 | 2 | 4 => (depth <= 8 ? 1 : depth <= 16 ? 2 : 4);

interface Context {
  readonly source: Source;
  readonly size: ImageSize;
  readonly blocks: BlockDecoder;
  readonly budget: PartsBudget;
}

function decodeTile({ source, size, blocks, budget }: Context, tile: Tile, into: readonly ImageComponent[]): void {
  const layout = layOutTile(source, size, tile, budget);
  readPackets(source, tile, layout);
  const part = `tile ${tile.index}`;
  const planes = layout.components.map((component) => decodeComponent({ source, part, blocks }, component));
  if (layout.style.isTransformed) undoTransform({ source, part }, layout.components, planes);
  const area = tileRectangle(size, tile.index);
  for (const [at, component] of into.entries()) {
    const [plane, from] = [planes[at], size.components[at]];
    if (plane === undefined || from === undefined) continue;
    const own = componentRectangle(area, from);
    const whole = componentRectangle(size, from);
    putSamples(plane, own, component, { x: own.x0 - whole.x0, y: own.y0 - whole.y0 });
  }
}

interface Part {
  readonly source: Source;
  readonly part: string;
}

function decodeComponent(context: Part & { readonly blocks: BlockDecoder }, component: TileComponent): Plane {
  const [stride, height] = [component.x1 - component.x0, component.y1 - component.y0];
  const { isReversible, blockStyle } = component.coding;
  const count = Math.max(0, stride) * Math.max(0, height);
  const values: Plane = isReversible ? new Int32Array(count) : new Float32Array(count);
  let lower: Resolution | undefined;
  for (const resolution of component.resolutions) {
    const [right, down] = lower === undefined ? [0, 0] : [lower.x1 - lower.x0, lower.y1 - lower.y0];
    for (const { bands = [] } of resolution.precincts) {
      for (const [at, { blocks }] of bands.entries()) {
        const band = resolution.bands[at] as Band;
        const corner = { x: (band.orientation & 1) * right, y: (band.orientation >> 1) * down };
        for (const block of blocks) {
          const target = { values, stride, x: corner.x + block.x0 - band.x0, y: corner.y + block.y0 - band.y0 };
          putBlock(context, block, { ...band, shift: component.shift, blockStyle }, target);
        }
      }
    }
    if (lower !== undefined) transformBack(values, stride, resolution);
    lower = resolution;
  }
  return values;
}

interface BlockKind {
  readonly orientation: number;
  readonly planes: number;
  readonly step: number;
  readonly shift: number;
  readonly blockStyle: number;
}

interface Target {
  readonly values: Plane;
  readonly stride: number;
  readonly x: number;
  readonly y: number;
}

const MOST_PLANES = 30;

/** Single precision after every operation, and factors of as many digits, give OpenJPEG's samples to the last bit. */
const single = Math.fround;

function putBlock(
  { source, part, blocks }: Part & { readonly blocks: BlockDecoder },
  block: Block,
  { orientation, planes, step, shift, blockStyle }: BlockKind,
  { values, stride, x, y }: Target,
): void {
  if (block.emptyPlanes === undefined || block.passes === 0) return;
  const coded = planes + shift - block.emptyPlanes;
  if (coded > MOST_PLANES) throw damaged(source, part, `at most ${MOST_PLANES} bit planes`, String(coded));
  if (coded <= 0) return;
  const [width, height] = [block.x1 - block.x0, block.y1 - block.y0];
  const { segments } = block;
  const doubled = blocks.decode({ width, height, orientation, planes: coded, style: blockStyle, segments });
  if (shift > 0) scaleRegion(doubled, shift);
  for (let row = 0; row < height; row++) {
    const from = row * width;
    const to = (y + row) * stride + x;
    if (values instanceof Int32Array) {
      for (let i = 0; i < width; i++) values[to + i] = ((doubled[from + i] as number) / 2) | 0;
    } else {
      const half = step / 2;
      for (let i = 0; i < width; i++) values[to + i] = (doubled[from + i] as number) * half;
    }
  }
}

/** Shifts the region of interest back: its planes lie above those of the background (Annex H). */
function scaleRegion(doubled: Int32Array, shift: number): void {
  const least = 2 ** (shift + 1);
  for (let i = 0; i < doubled.length; i++) {
    const value = doubled[i] as number;
    if (Math.abs(value) >= least) doubled[i] = Math.trunc(value / 2 ** shift);
  }
}

/** Annex G: of the first three components. */
function undoTransform({ source, part }: Part, components: readonly TileComponent[], planes: readonly Plane[]): void {
  const [one, two, three] = planes;
  if (one === undefined || two?.length !== one.length || three?.length !== one.length) {
    throw damaged(source, part, "three components of one size, for the component transform", "others");
  }
  const kinds = new Set(components.slice(0, 3).map(({ coding }) => coding.isReversible));
  if (kinds.size > 1) throw damaged(source, part, "three components with one wavelet, for the transform", "others");
  const isReversible = kinds.has(true);
  for (let i = 0; i < one.length; i++) {
    const [y, b, r] = [one[i] as number, two[i] as number, three[i] as number];
    if (isReversible) {
      const green = y - ((b + r) >> 2);
      [one[i], two[i], three[i]] = [r + green, green, b + green];
    } else {
      one[i] = y + single(single(1.402) * r);
      two[i] = single(y - single(single(0.34413) * b)) - single(single(0.71414) * r);
      three[i] = y + single(single(1.772) * b);
    }
  }
}

/** Rounded, shifted to where samples are counted from, and kept within their bits. */
function putSamples(
  plane: Plane,
  { x0, y0, x1, y1 }: Rectangle,
  { depth, isSigned, samples, width }: ImageComponent,
  place: { readonly x: number; readonly y: number },
): void {
  const shift = isSigned ? 0 : 2 ** (depth - 1);
  const least = isSigned ? -(2 ** (depth - 1)) : 0;
  const most = least + 2 ** depth - 1;
  const stride = x1 - x0;
  for (let row = 0; row < y1 - y0; row++) {
    const to = (place.y + row) * width + place.x;
    for (let i = 0; i < stride; i++) {
      const value = roundEven(plane[row * stride + i] as number) + shift;
      samples[to + i] = value < least ? least : value > most ? most : value;
    }
  }
}

/** Halves to the even number, as C rounds them. */
function roundEven(value: number): number {
  const rounded = Math.round(value);
  return rounded - value === 0.5 && (rounded & 1) === 1 ? rounded - 1 : rounded;
}

// The inverse wavelet transforms (ITU-T T.800 Annex F). A plane has its bands in the corners: those of a resolution are
// turned into the next resolution, in place.

type Plane = Int32Array | Float32Array;

interface PlaneOf<P extends Plane> {
  readonly values: P;
  /** Values between rows. */
  readonly stride: number;
}

/**
 * A line to transform in one direction: `low` of its values are smooth ones, `first` is 1 if the first value is a
 * detail.
 */
interface Line {
  readonly count: number;
  readonly low: number;
  readonly first: 0 | 1;
}

function lineOf(from: number, to: number): Line {
  return { count: to - from, low: Math.ceil(to / 2) - Math.ceil(from / 2), first: (from & 1) as 0 | 1 };
}

/** Table F.4, undone in this order. */
const STEPS_9_7: readonly { readonly parity: 0 | 1; readonly factor: number }[] = [
  { parity: 0, factor: single(-0.443506852) },
  { parity: 1, factor: single(-0.882911075) },
  { parity: 0, factor: single(0.052980118) },
  { parity: 1, factor: single(1.586134342) },
];
const SMOOTH = single(1.230174105);
/** 1 / K is 0.812893; OpenJPEG has 13318 / 16384 here, a level of 16 bits more or less. */
const DETAIL = single(0.812866211);

/** Turns the bands of `resolution` into its values: the lower resolution in the corner, details beside and below. */
function transformBack(values: Plane, stride: number, resolution: Rectangle): void {
  const across = lineOf(resolution.x0, resolution.x1);
  const down = lineOf(resolution.y0, resolution.y1);
  if (across.count <= 0 || down.count <= 0) return;
  if (values instanceof Int32Array) {
    rows53({ values, stride }, across, down.count);
    columns53({ values, stride }, down, across.count);
  } else {
    rows97({ values, stride }, across, down.count);
    columns97({ values, stride }, down, across.count);
  }
}

/** Smooth values and details in turns. */
function interleave(from: Plane, at: number, { count, low, first }: Line, to: Plane): void {
  for (let i = 0; i < low; i++) to[first + i * 2] = from[at + i] as number;
  for (let i = low; i < count; i++) to[1 - first + (i - low) * 2] = from[at + i] as number;
}

/** The neighbours of place i, mirrored at both ends. */
const before = (i: number): number => (i === 0 ? 1 : i - 1);
const after = (i: number, count: number): number => (i === count - 1 ? count - 2 : i + 1);

function rows53({ values, stride }: PlaneOf<Int32Array>, line: Line, rows: number): void {
  const { count, first } = line;
  const own = new Int32Array(count);
  for (let y = 0; y < rows; y++) {
    const at = y * stride;
    if (count === 1) {
      if (first === 1) values[at] = Math.trunc((values[at] as number) / 2);
      continue;
    }
    interleave(values, at, line, own);
    for (let i: number = first; i < count; i += 2) {
      own[i] = (own[i] as number) - (((own[before(i)] as number) + (own[after(i, count)] as number) + 2) >> 2);
    }
    for (let i = 1 - first; i < count; i += 2) {
      own[i] = (own[i] as number) + (((own[before(i)] as number) + (own[after(i, count)] as number)) >> 1);
    }
    values.set(own, at);
  }
}

/** Rows are put in their places first; a step then works on three whole rows. */
function spreadRows(plane: PlaneOf<Plane>, { count, low, first }: Line, width: number): void {
  const { values, stride } = plane;
  const from = (row: number) => ((row & 1) === first ? row >> 1 : low + (row >> 1)) * stride;
  const copy = values.slice(0, (count - 1) * stride + width);
  for (let row = 0; row < count; row++) values.set(copy.subarray(from(row), from(row) + width), row * stride);
}

function columns53(plane: PlaneOf<Int32Array>, line: Line, width: number): void {
  const { values, stride } = plane;
  const { count, first } = line;
  if (count === 1) {
    if (first === 1) for (let x = 0; x < width; x++) values[x] = Math.trunc((values[x] as number) / 2);
    return;
  }
  spreadRows(plane, line, width);
  for (let i: number = first; i < count; i += 2) {
    const [at, up, down] = [i * stride, before(i) * stride, after(i, count) * stride];
    for (let x = 0; x < width; x++) {
      values[at + x] =
        (values[at + x] as number) - (((values[up + x] as number) + (values[down + x] as number) + 2) >> 2);
    }
  }
  for (let i = 1 - first; i < count; i += 2) {
    const [at, up, down] = [i * stride, before(i) * stride, after(i, count) * stride];
    for (let x = 0; x < width; x++) {
      values[at + x] = (values[at + x] as number) + (((values[up + x] as number) + (values[down + x] as number)) >> 1);
    }
  }
}

function rows97({ values, stride }: PlaneOf<Float32Array>, line: Line, rows: number): void {
  const { count, first } = line;
  const own = new Float32Array(count);
  for (let y = 0; y < rows; y++) {
    const at = y * stride;
    if (count === 1) {
      if (first === 1) values[at] = (values[at] as number) / 2;
      continue;
    }
    interleave(values, at, line, own);
    for (let i: number = first; i < count; i += 2) own[i] = (own[i] as number) * SMOOTH;
    for (let i = 1 - first; i < count; i += 2) own[i] = (own[i] as number) * DETAIL;
    for (const { parity, factor } of STEPS_9_7) {
      for (let i: number = parity ^ first; i < count; i += 2) {
        const both = single((own[before(i)] as number) + (own[after(i, count)] as number));
        own[i] = (own[i] as number) + single(factor * both);
      }
    }
    values.set(own, at);
  }
}

function columns97(plane: PlaneOf<Float32Array>, line: Line, width: number): void {
  const { values, stride } = plane;
  const { count, first } = line;
  if (count === 1) {
    if (first === 1) for (let x = 0; x < width; x++) values[x] = (values[x] as number) / 2;
    return;
  }
  spreadRows(plane, line, width);
  for (let i = 0; i < count; i++) {
    const factor = (i & 1) === first ? SMOOTH : DETAIL;
    for (let x = i * stride; x < i * stride + width; x++) values[x] = (values[x] as number) * factor;
  }
  for (const { parity, factor } of STEPS_9_7) {
    for (let i: number = parity ^ first; i < count; i += 2) {
      const [at, up, down] = [i * stride, before(i) * stride, after(i, count) * stride];
      for (let x = 0; x < width; x++) {
        const both = single((values[up + x] as number) + (values[down + x] as number));
        values[at + x] = (values[at + x] as number) + single(factor * both);
      }
    }
  }
}

/**
 * JPEG 2000, Part 1 (ITU-T T.800): from a code stream to the samples of its components. All of Part 1 but packet headers
 * apart from their packets (PPM, PPT), which nothing at hand writes.
 */
import { decodeTooLarge } from "../failure.ts";
import { openBlockDecoder, type BlockDecoder } from "./block-memory.ts";
import { componentRectangle, tileRectangle, type ImageSize, type Rectangle, type Tile } from "./code-stream.ts";
import {
  layOutTile,
  partsBudget,
  type PartsBudget,
  type Band,
  type Block,
  type Resolution,
  type TileComponent,
} from "./layout.ts";
import { readPackets } from "./packets.ts";
import { readCodeStream } from "./read-code-stream.ts";
import { damaged, type Source } from "./source.ts";
import { transformBack, type Plane } from "./wavelet.ts";

export interface ImageComponent {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly isSigned: boolean;
  /** Points of the reference grid between samples. */
  readonly dx: number;
  readonly dy: number;
  /** In rows. */
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

export function bytesOfSample(depth: number): 1 | 2 | 4 {
  return depth <= 8 ? 1 : depth <= 16 ? 2 : 4;
}

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
    if (lower !== undefined) {
      transformBack(values instanceof Int32Array ? { values, stride } : { values, stride }, resolution);
    }
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

/** What stands above the background's planes was shifted up (Annex H). */
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
  for (let i = 0; i < one.length; i++) {
    const [y, b, r] = [one[i] as number, two[i] as number, three[i] as number];
    if (kinds.has(true)) {
      const green = y - ((b + r) >> 2);
      [one[i], two[i], three[i]] = [r + green, green, b + green];
    } else {
      [one[i], two[i], three[i]] = [y + 1.402 * r, y - 0.34413 * b - 0.71414 * r, y + 1.772 * b];
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

/** Walks the markers of a JPEG 2000 code stream (ITU-T T.800 Annex A): the main header, then tile-parts up to the end. */
import { hexBytes } from "../../core/hex-bytes.ts";
import type { CodeStream, ImageSize, Parameters, Tile } from "./code-stream.ts";
import {
  readCodingDefault,
  readCodingStyle,
  readComponentIndex,
  readProgressionChanges,
  readQuantization,
  readShift,
  readSize,
  segmentReader,
  type SegmentReader,
} from "./segments.ts";
import { damaged, type Source } from "./source.ts";

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
    const end = length === 0 ? endOf(bytes) : from + length;
    if (end < walk.at || end > bytes.length) {
      throw damaged(source, `tile ${index}`, `a tile-part of ${length} bytes`, `${bytes.length - from} bytes`);
    }
    tile.parts.push(bytes.subarray(walk.at, end));
    walk.at = end;
    // Whether an end marker follows, or other bytes, changes nothing where all tiles are there.
    if (walk.at + 2 > bytes.length || takeShort(walk) !== TILE_PART) break;
  }
  if (tiles.size < count) throw damaged(source, "the code stream", `all ${count} tiles`, `${tiles.size}`);
  return [...tiles.values()];
}

/** A tile-part of length 0 is the last, up to the end marker. */
function endOf(bytes: Uint8Array): number {
  return shortAt(bytes, bytes.length - 2) === END ? bytes.length - 2 : bytes.length;
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

function shortAt(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0);
}

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

function hexOf(marker: number): string {
  return hexBytes(Uint8Array.of(marker >> 8, marker & 255));
}

/** A part of an array as a table for other programs (RFC 4180), with its coordinates. */
import type { CallContext } from "#core/byte-source.ts";
import { delimitedLine } from "#core/delimited.ts";
import { cellCount, chunkAlong, coordinatesOf } from "#core/metadata/chunk-grid.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import type { Selection } from "#core/plane/selection.ts";
import { textAttribute } from "#core/metadata/attribute.ts";
import type { EngineSet } from "../engine-set.ts";
import { type ArrayPart, readPart } from "./array-part.ts";
import { coordinateArray } from "./axis.ts";
import type { ChunkDecoder } from "../chunk/chunk-decoder.ts";

interface CsvSide {
  /** With its units. */
  readonly name: string;
  readonly count: number;
  readonly text: (at: number) => string;
}

interface CsvOptions {
  readonly set: EngineSet;
  readonly node: ArrayNode;
  readonly selection: Selection;
  readonly cf: boolean;
  readonly decoder: ChunkDecoder;
}

/** Labels along each dimension of the part: the values of its coordinate array, else positions. */
export function csvSides(options: CsvOptions, context: CallContext): Promise<readonly CsvSide[]> {
  const { set, node, selection, decoder } = options;
  const sides = selection.map(async (along, dimension): Promise<readonly CsvSide[]> => {
    if (along.dropped) return [];
    const { start, step, count } = along;
    const name = node.metadata.dimensionNames?.[dimension] ?? `dimension ${dimension}`;
    const coordinate = coordinateArray(set, node, dimension);
    const positions = { name: `${name} index`, count, text: (at: number) => String(start + at * step) };
    if (coordinate === undefined || coordinate === node) return [positions];
    const part = await readPart({ set, node: coordinate, selection: [along], cf: true, decoder }, context);
    return [part.failed.size > 0 ? positions : { name: withUnits(coordinate, part), count, text: part.text }];
  });
  return Promise.all(sides).then((found) => found.flat());
}

/** Dates are their own unit. */
function withUnits({ name, attributes }: ArrayNode, { dtype }: Pick<ArrayPart, "dtype">, cf = true): string {
  const units = cf && !dtype.startsWith("<M8") && dtype !== "|O" ? textAttribute(attributes, "units") : undefined;
  return units === undefined || units === "1" ? name : `${name} (${units})`;
}

/** Two dimensions as rows and columns, each with its heads; any other number of them a line an element. */
export function csvOf(
  { text, ...part }: ArrayPart,
  sides: readonly CsvSide[],
  { node, cf, selection }: CsvOptions,
  lost: ReadonlySet<string>,
): Uint8Array<ArrayBuffer> {
  const value = withUnits(node, part, cf);
  const isLost = lostTest(node, selection, lost);
  const textAt = (at: number) => (isLost(at) ? "" : text(at));
  const [down, across] = sides;
  const lines =
    sides.length === 2 && down !== undefined && across !== undefined
      ? [[`${value} by ${down.name} and ${across.name}`, ...texts(across)], ...grid(textAt, down, across)]
      : [[...sides.map(({ name }) => name), value], ...listed(textAt, sides)];
  return new TextEncoder().encode(lines.map((line) => `${delimitedLine(line, ",")}\r\n`).join(""));
}

const texts = ({ count, text }: CsvSide) => Array.from({ length: count }, (_, at) => text(at));

const grid = (textAt: CsvSide["text"], down: CsvSide, across: CsvSide) =>
  texts(down).map((head, row) => [head, ...texts({ ...across, text: (at) => textAt(row * across.count + at) })]);

function listed(textAt: CsvSide["text"], sides: readonly CsvSide[]) {
  const counts = sides.map(({ count }) => count);
  return Array.from({ length: cellCount(counts) }, (_, at) => {
    const places = coordinatesOf(counts, at);
    return [...sides.map(({ text }, each) => text(places[each] ?? 0)), textAt(at)];
  });
}

/** Tests if an element lies in a chunk that failed. `lost`: their coordinates, joined. */
function lostTest({ metadata: { chunks } }: ArrayNode, selection: Selection, lost: ReadonlySet<string>) {
  if (lost.size === 0) return () => false;
  const counts = selection.map(({ count, dropped }) => (dropped ? 1 : count));
  return (at: number): boolean => {
    const places = coordinatesOf(counts, at);
    const chunk = selection.map(({ start, step }, each) =>
      chunkAlong(chunks[each] ?? 1, start + (places[each] ?? 0) * step),
    );
    return lost.has(chunk.join());
  };
}

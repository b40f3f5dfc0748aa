/** Planes through whole arrays: what they cost, their chunks one by one, and what stands along their sides. */
import { metadataOfChunk } from "../../core/array-metadata.ts";
import type { CallContext } from "../../core/byte-source.ts";
import { scalingOf } from "../../core/cf.ts";
import { chunkOf as chunkHolding, gridOf, insideShape, ordinalOf } from "../../core/chunk-grid.ts";
import { isFree } from "../../core/plane-budget.ts";
import { hasNumbers } from "../../core/data-type.ts";
import type { Finding } from "../../core/findings/finding.ts";
import {
  planePart,
  type Plane,
  type PlaneCost,
  type PlanePart,
  type PlaneSteps,
  type ArrayTable,
  type PlaneTile,
  type ValuesAbout,
} from "../../core/plane.ts";
import { failure } from "../../core/findings/failure.ts";
import { nodeAt } from "../../core/findings/place.ts";
import { parseSelection } from "../../core/selection.ts";
import { numberReader, type ShownChunk } from "../../core/slice.ts";
import { givingAway } from "../../core/transfer.ts";
import { decodeValues } from "../../core/values.ts";
import { aboutChunk } from "../chunk/load-chunk.ts";
import { textAttribute, variableTitle } from "../describe/variable-title.ts";
import { arrayNode } from "../engine-set.ts";
import type { ArrayNode } from "../../core/hierarchy.ts";
import type { House } from "../sessions.ts";
import { readPart, type ArrayPart } from "./array-part.ts";
import { auxiliariesOf, besideValue } from "./auxiliaries.ts";
import { axisOf } from "./axis.ts";
import type { Axis, BesideValue } from "../../core/axis.ts";
import type { CachedChunk } from "./chunk-cache.ts";
import { chunkQueue } from "./chunk-queue.ts";
import { planeCost } from "./plane-cost.ts";
import { readingNotes, type NoteReading } from "./reading-notes.ts";
import { sliceSnippet } from "./slice-snippet.ts";
import type { ReadOutcome } from "./read-chunks.ts";

interface OfArray {
  readonly set: number;
  readonly array: string;
}

interface OfPlane extends OfArray {
  readonly plane: Plane;
}

interface OfTile extends OfPlane {
  readonly coordinates: readonly number[];
  readonly steps: PlaneSteps;
  /** CF values rather than raw ones, where the array has them. */
  readonly scaled: boolean;
}

interface OfElement extends OfArray {
  /** Position in every dimension of the array. */
  readonly element: readonly number[];
}

interface OfPart extends OfArray {
  /** As NumPy indexes: `0,10:20,:`. */
  readonly select: string;
  readonly scaled: boolean;
}

/** Elements of a table that are sent. */
const MAX_CELLS = 10_000;

export function planeOperations(house: House) {
  const { sessions, kept, decoder } = house;
  const note = readingNotes(house);
  const chunkOf = chunkReader(house, note);
  return {
    cost({ set: id, array, plane }: OfPlane, context: CallContext): Promise<PlaneCost> {
      const { set } = sessions.get(id);
      const isKept = (ordinal: number) => kept.has(id, array, ordinal);
      return planeCost({ set, node: arrayNode(set, array), plane }, isKept, context);
    },
    async tile({ plane, coordinates, steps, scaled, ...of }: OfTile, context: CallContext): Promise<PlaneTile> {
      const chunk = await chunkOf(of, coordinates, context);
      return tileOf(arrayNode(sessions.get(of.set).set, of.array), chunk, { plane, coordinates, steps, scaled });
    },
    about({ set: id, array }: OfArray): ValuesAbout {
      const { set } = sessions.get(id);
      const node = arrayNode(set, array);
      return { ...aboutValues(node), auxiliaries: auxiliariesOf(set, node).map(({ node: { path } }) => path) };
    },
    /** `undefined` where nothing stands along the dimension; without values where these cost more than is read unasked. */
    axis(
      {
        set: id,
        array,
        dimension,
        isPaid = false,
      }: OfArray & { readonly dimension: number; readonly isPaid?: boolean },
      context: CallContext,
    ): Promise<Axis | undefined> {
      const { set } = sessions.get(id);
      const noted = (path: string, outcome: ReadOutcome) => note({ set: id, array: path }, outcome);
      return axisOf({ set, node: arrayNode(set, array), decoder, isPaid, note: noted }, dimension, context);
    },
    /** What the array's other coordinates are at an element, those whose chunk is free to read. */
    async beside({ set: id, array, element }: OfElement, context: CallContext): Promise<readonly BesideValue[]> {
      const { set } = sessions.get(id);
      const found = auxiliariesOf(set, arrayNode(set, array)).map(async ({ node, dimensions }) => {
        const { chunks, shape } = node.metadata;
        const at = dimensions.map((dimension) => element[dimension] ?? 0);
        const plane: Plane = { row: undefined, column: undefined, at };
        const coordinates = chunkHolding(at, chunks);
        const isKept = (ordinal: number) => kept.has(id, node.path, ordinal);
        if (ordinalOf(gridOf(shape, chunks), coordinates) === undefined) return [];
        if (!isFree(await planeCost({ set, node, plane }, isKept, context))) return [];
        const chunk = await chunkOf({ set: id, array: node.path }, coordinates, context);
        const tile = tileOf(node, chunk, { plane, coordinates, steps: { down: 1, across: 1 }, scaled: true });
        return tile.kind === "values" ? besideValue(node, tile.values[0]) : [];
      });
      return (await Promise.all(found)).flat();
    },
    python({ set: id, array, plane, scaled }: OfPlane & { readonly scaled: boolean }, context: CallContext) {
      const { set } = sessions.get(id);
      return sliceSnippet({ set, node: arrayNode(set, array), plane, scaled }, context);
    },
    ...partOperations(house),
  };
}

/** Parts of an array put together, as a table or a file. */
function partOperations({ sessions, decoder }: House) {
  const partOf = ({ set: id, array, select, scaled: cf }: OfPart, context: CallContext): Promise<ArrayPart> => {
    const { set } = sessions.get(id);
    const node = arrayNode(set, array);
    return readPart({ set, node, selection: parseSelection(select, node.metadata.shape), cf, decoder }, context);
  };
  return {
    /** Every element as text. Throws RefscopeError `selection-too-large`, `selection-invalid`. */
    async table(of: OfPart, context: CallContext): Promise<ArrayTable> {
      const part = await partOf(of, context);
      const { shape, dtype, failed, missing } = part;
      const count = shape.reduce((product, length) => product * length, 1);
      const texts = Array.from({ length: Math.min(MAX_CELLS, count) }, (_, at) => plainText(part.json(at)));
      return { shape, dtype, texts, failed: [...failed], missing };
    },
    /** Throws as `table`, and RefscopeError `selection-failed`, `npy-objects`. */
    async file({ format, ...of }: OfPart & { readonly format: "npy" | "csv" }, context: CallContext) {
      const part = await partOf(of, context);
      if (part.failed.size > 0) throw failure("selection-failed", nodeAt(of.array), { chunks: part.failed.size });
      const bytes = format === "npy" ? part.npy() : csvOf(part);
      return givingAway({ bytes }, [bytes.buffer]);
    },
  };
}

type ReadChunk = CachedChunk | { readonly kind: "failed"; readonly error: Finding };

/** Gives a chunk's values from the cache, else reads it and notes what that gave. */
function chunkReader({ sessions, kept, decoder }: House, note: NoteReading) {
  const queue = chunkQueue(decoder);
  return async (
    { set: id, array }: OfArray,
    coordinates: readonly number[],
    context: CallContext,
  ): Promise<ReadChunk> => {
    const { set } = sessions.get(id);
    const node = arrayNode(set, array);
    const { shape, chunks } = node.metadata;
    const ordinal = ordinalOf(gridOf(shape, chunks), coordinates) ?? -1;
    const known = kept.get(id, array, ordinal);
    if (known !== undefined) return known;
    const outcome = await queue.want({ set, node, coordinates }, context);
    note({ set: id, array }, outcome);
    if (outcome.kind === "failed") return { kind: "failed", error: aboutChunk(outcome.error, outcome.chunk) };
    const read = cachedOf(outcome, node);
    kept.keep(id, array, ordinal, read);
    return read;
  };
}

function cachedOf(outcome: Exclude<ReadOutcome, { kind: "failed" }>, { metadata }: ArrayNode): CachedChunk {
  if (outcome.kind === "missing") return { kind: "missing" };
  const { bytes, values } = outcome.decoded;
  const of = metadataOfChunk(metadata, outcome.chunk.coordinates);
  return { kind: "values", values: values ?? decodeValues(bytes, of) };
}

function aboutValues(node: ArrayNode): Omit<ValuesAbout, "auxiliaries"> {
  const scaling = scalingOf(node.metadata, node.attributes);
  return {
    numeric: hasNumbers(node.metadata.dataType),
    title: variableTitle(node.attributes),
    units: scaling?.time === undefined ? textAttribute(node.attributes, "units") : undefined,
    ...(scaling === undefined ? {} : { scaling }),
  };
}

type Asked = Pick<OfTile, "plane" | "coordinates" | "steps" | "scaled">;

function tileOf(
  { metadata, attributes }: ArrayNode,
  chunk: ReadChunk,
  { plane, coordinates, steps, scaled }: Asked,
): PlaneTile {
  const inside = insideShape(metadata.shape, metadata.chunks, coordinates);
  const part = planePart(plane, steps, { coordinates, chunks: metadata.chunks, inside });
  const { top, left, rows, columns } = part;
  const place = { top, left, rows, columns };
  if (chunk.kind !== "values") return { ...place, ...chunk };
  const shown: ShownChunk = { values: chunk.values, inside, scaling: scalingOf(metadata, attributes) };
  const values = valuesOn(part, shown, scaled);
  return givingAway({ ...place, kind: "values", values }, [values.buffer]);
}

function valuesOn(part: PlanePart, shown: ShownChunk, scaled: boolean): Float64Array<ArrayBuffer> {
  const { rows, columns, base, rowStep, columnStep } = part;
  const number = numberReader(shown, scaled);
  const values = new Float64Array(rows * columns);
  for (let row = 0, at = 0; row < rows; row += 1) {
    let element = base + row * rowStep;
    for (let column = 0; column < columns; column += 1, at += 1, element += columnStep) values[at] = number(element);
  }
  return values;
}

/** Text as it is, without the quotes of JSON. */
const plainText = (json: string): string => (json.startsWith('"') ? (JSON.parse(json) as string) : json);

/** RFC 4180: a row for each of the last dimension's lines; other dimensions follow each other. */
function csvOf(part: ArrayPart): Uint8Array<ArrayBuffer> {
  const count = part.shape.reduce((product, length) => product * length, 1);
  const width = Math.max(1, part.shape.at(-1) ?? 1);
  const lines: string[] = [];
  for (let first = 0; first < count; first += width) {
    lines.push(
      Array.from({ length: Math.min(width, count - first) }, (_, at) => csvField(part.json(first + at))).join(","),
    );
  }
  return new TextEncoder().encode(`${lines.join("\r\n")}\r\n`);
}

/** What is missing is empty; text that a spreadsheet would take for a formula is quoted, and begins with an apostrophe. */
function csvField(json: string): string {
  if (json === "null" || json === '"NaN"') return "";
  const text = plainText(json);
  if (!json.startsWith('"')) return text;
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

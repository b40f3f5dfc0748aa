/** Slices of whole arrays: cost, chunks and axis labels. */
import { type ArrayNode, metadataOfChunk } from "#core/metadata/array-metadata.ts";
import type { Axis, BesideValue } from "#core/cf/axis.ts";
import type { CallContext } from "#core/byte-source.ts";
import { isUnscaled, scalingOf } from "#core/cf/cf.ts";
import { chunkOf as chunkHolding, gridOf, insideShape, ordinalOf } from "#core/metadata/chunk-grid.ts";
import { hasNumbers } from "#core/metadata/data-type.ts";
import { failure, type Finding, nodeAt } from "#core/findings/finding.ts";
import { nearPaths } from "#core/metadata/hierarchy-path.ts";
import { isFree } from "#core/plane/plane-budget.ts";
import {
  type ArrayTable,
  type Plane,
  type PlaneCost,
  type PlaneNumbers,
  planePart,
  type PlanePart,
  type PlaneSteps,
  type PlaneTile,
  type ValuesAbout,
} from "#core/plane/plane.ts";
import { pythonString } from "#core/json/python-json.ts";
import { parseSelection } from "#core/plane/selection.ts";
import { numberReader, type ShownChunk } from "#core/plane/slice.ts";
import { givingAway } from "#core/transfer.ts";
import { decodeValues } from "#core/values/values.ts";
import type { ReadingProspect } from "#core/readers/reading-cost.ts";
import { withoutSecrets } from "#core/words/without-secrets.ts";
import { chunkReference, type ChunkReference } from "../chunk/chunk-reference.ts";
import { aboutChunk } from "../chunk/load-chunk.ts";
import { attribute, textAttribute, variableTitle } from "#core/metadata/attribute.ts";
import { arrayNode, type EngineSet } from "../engine-set.ts";
import type { EngineContext, OfSet } from "../sessions.ts";
import { plainText, readPart } from "./array-part.ts";
import { axisOf, roleOf, textOf } from "./axis.ts";
import { plannedBlocks } from "./blocks.ts";
import type { CachedChunk } from "./chunk-cache.ts";
import type { ChunkDecoder } from "../chunk/chunk-decoder.ts";
import { csvOf, csvSides } from "./csv.ts";
import { planeCost } from "./plane-cost.ts";
import { newSlots, readOne, type ReadOutcome } from "./read-chunks.ts";
import { type NoteReading, readingNotes } from "./reading-notes.ts";
import { readingProspect } from "./reading-prospect.ts";

interface OfArray extends OfSet {
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
  /** Selection as NumPy indexes: `0,10:20,:`. */
  readonly select: string;
  readonly scaled: boolean;
}

/** Elements of a table that are sent. */
const MAX_CELLS = 10_000;

export function planeOperations(engine: EngineContext) {
  const { sessions, kept, decoder } = engine;
  const note = readingNotes(engine);
  const chunkOf = chunkReader(engine, note);
  return {
    cost(
      { set: id, array, plane, fetch }: OfPlane & { readonly fetch?: number },
      context: CallContext,
    ): Promise<PlaneCost> {
      const { set } = sessions.get(id);
      const node = arrayNode(set, array);
      const isKept = (ordinal: number) => kept.has(id, array, ordinal);
      // Who asks what a slice costs is about to read it: the first chunk need not wait for code.
      decoder.prepare?.(node.metadata);
      return planeCost({ set, node, plane, ...(fetch === undefined ? {} : { fetch }) }, isKept, context);
    },
    /** Cost of reading a plane for each reader, and its cost with other chunks. */
    prospect({ set: id, array, plane }: OfPlane, context: CallContext): Promise<ReadingProspect> {
      const { set } = sessions.get(id);
      return readingProspect({ set, node: arrayNode(set, array), plane }, context);
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
      { set: id, array, ...of }: OfArray & { readonly dimension: number; readonly isPaid?: boolean },
      context: CallContext,
    ): Promise<Axis | undefined> {
      const { set } = sessions.get(id);
      const noted = (path: string, outcome: ReadOutcome) => note({ set: id, array: path }, outcome);
      const options = { set, node: arrayNode(set, array), decoder, isPaid: of.isPaid === true, note: noted };
      return axisOf(options, of.dimension, context);
    },
    /** Values of the array's other coordinates at an element, if their chunk is free to read. */
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
    ...partOperations(engine),
  };
}

/** Parts of an array put together, as a table or a file, and Python that reads them. */
function partOperations({ sessions, decoder }: EngineContext) {
  const requestOf = ({ set: id, array, select, scaled: cf }: OfPart) => {
    const { set } = sessions.get(id);
    const node = arrayNode(set, array);
    return { set, node, selection: parseSelection(select, node.metadata.shape), cf, decoder };
  };
  return {
    /** Every element as text. Throws RefscopeError `selection-too-large`, `selection-invalid`. */
    async table(of: OfPart, context: CallContext): Promise<ArrayTable> {
      const part = await readPart(requestOf(of), context);
      const { shape, dtype, failed, missing } = part;
      const count = shape.reduce((product, length) => product * length, 1);
      const texts = Array.from({ length: Math.min(MAX_CELLS, count) }, (_, at) => plainText(part.json(at)));
      return { shape, dtype, texts, failed: [...failed], missing };
    },
    /** Elements of chunks that failed are empty in CSV. Throws as `table`, and `selection-failed`, `npy-objects` for NumPy. */
    async file({ format, ...of }: OfPart & { readonly format: "npy" | "csv" }, context: CallContext) {
      const request = requestOf(of);
      const lost = new Set<string>();
      const noted = (outcome: ReadOutcome) => outcome.kind === "failed" && lost.add(outcome.chunk.coordinates.join());
      const part = await readPart({ ...request, note: noted }, context);
      if (part.failed.size > 0 && format === "npy")
        throw failure("selection-failed", nodeAt(of.array), { chunks: part.failed.size });
      const bytes = format === "npy" ? part.npy() : csvOf(part, await csvSides(request, context), request, lost);
      return givingAway({ bytes, failed: lost.size }, [bytes.buffer]);
    },
    async python({ set: id, array, plane, scaled }: OfPlane & { readonly scaled: boolean }, { signal }: CallContext) {
      const { set } = sessions.get(id);
      const text = await pythonOf(set, arrayNode(set, array), plane, scaled);
      signal.throwIfAborted();
      return text;
    },
  };
}

type ReadChunk = CachedChunk | { readonly kind: "failed"; readonly error: Finding };

/** Gives a chunk's values from the cache, else reads it and notes what that gave. */
function chunkReader({ sessions, kept, decoder }: EngineContext, note: NoteReading) {
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

function valuesOn(part: PlanePart, shown: ShownChunk, scaled: boolean): PlaneNumbers {
  const { rows, columns, base, rowStep, columnStep } = part;
  const number = numberReader(shown, scaled);
  const values = new (isNarrow(shown, scaled) ? Float32Array : Float64Array)(rows * columns);
  for (let row = 0, at = 0; row < rows; row += 1) {
    let element = base + row * rowStep;
    for (let column = 0; column < columns; column += 1, at += 1, element += columnStep) values[at] = number(element);
  }
  return values;
}

/** True if single precision holds the numbers of the picture. */
function isNarrow({ values: { numbers }, scaling }: ShownChunk, scaled: boolean): boolean {
  if (scaled && scaling !== undefined && !isUnscaled(scaling)) return false;
  return NARROW.some((Kind) => numbers instanceof Kind);
}

const NARROW = [Float32Array, Int8Array, Int16Array, Uint8Array, Uint16Array] as const;

/** Text as it is, without the quotes of JSON. */
// Python that reads the very slice: what opens the set, and a selection of xarray's or zarr's.

/** The shorter form of what opens a set has a dataset only. */
async function pythonOf(set: EngineSet, node: ArrayNode, plane: Plane, scaled: boolean): Promise<string> {
  const values = scaled ? byXarray(node, plane) : byZarr(node, plane);
  const form = values.startsWith("values = ds[") ? undefined : "long";
  return `${withoutSecrets(await set.format.python(set, form))}\n${values}\n`;
}

const isShown = ({ row, column }: Plane, dimension: number): boolean => dimension === row || dimension === column;

function byZarr({ path, metadata }: ArrayNode, plane: Plane): string {
  const parts = metadata.shape.map((_, dimension) =>
    isShown(plane, dimension) ? ":" : String(plane.at[dimension] ?? 0),
  );
  const array = path === "" ? "group" : `group[${pythonString(path)}]`;
  return `values = ${array}[${parts.length === 0 ? "..." : parts.join(", ")}]`;
}

/** Dimensions by name; without names only zarr can tell them apart. */
function byXarray(node: ArrayNode, plane: Plane): string {
  const { metadata, path, name } = node;
  const names = metadata.dimensionNames;
  if (
    path === "" ||
    (metadata.shape.length > 0 && names?.length !== metadata.shape.length) ||
    names?.includes(undefined)
  ) {
    return byZarr(node, plane);
  }
  const group = path.split("/").slice(0, -1).join("/");
  const dataset =
    group === "" ? "ds" : `xr.open_dataset(store, engine="zarr", consolidated=False, group=${pythonString(group)})`;
  const fixed = metadata.shape.flatMap((_, dimension) =>
    isShown(plane, dimension) ? [] : [`${pythonString(names?.[dimension] ?? "")}: ${plane.at[dimension] ?? 0}`],
  );
  const selected = fixed.length === 0 ? "" : `.isel({${fixed.join(", ")}})`;
  const order = plane.row !== undefined && plane.column !== undefined && plane.row > plane.column ? ".transpose()" : "";
  return `values = ${dataset}[${pythonString(name)}]${selected}${order}`;
}

// Coordinates that stand along no dimension alone (CF §5: the attribute `coordinates`), such as the latitudes of a
// curvilinear grid.

interface Auxiliary {
  readonly node: ArrayNode;
  /** Dimensions of the array that the coordinate has, in the coordinate's order. */
  readonly dimensions: readonly number[];
}

/** Names are untrusted input: at most this many are looked up. */
const MAX_NAMES = 64;
/** Maximum number of coordinates returned. */
const MAX_FOUND = 4;

/** Those of numbers, with two dimensions or more, which the array has too. */
function auxiliariesOf(set: EngineSet, array: ArrayNode): readonly Auxiliary[] {
  const names = attribute(array.attributes, "coordinates");
  if (typeof names !== "string") return [];
  const found = names.split(/\s+/, MAX_NAMES).flatMap((name): readonly Auxiliary[] => {
    const node = name === "" ? undefined : nodeNear(set, array, name);
    const dimensions = node === undefined ? undefined : sharedDimensions(array, node);
    return node === undefined || dimensions === undefined ? [] : [{ node, dimensions }];
  });
  return found.slice(0, MAX_FOUND);
}

/** Node in the array's group or one above it. */
function nodeNear({ hierarchy }: EngineSet, { path }: ArrayNode, name: string): ArrayNode | undefined {
  const nodes = nearPaths(path, name).map((near) => hierarchy.nodes.get(near));
  return nodes.find((node) => node?.kind === "array");
}

function sharedDimensions({ metadata: of }: ArrayNode, { metadata }: ArrayNode): readonly number[] | undefined {
  const { shape, dimensionNames = [], dataType } = metadata;
  if (shape.length < 2 || !hasNumbers(dataType)) return undefined;
  const dimensions = shape.map((length, dimension) => {
    const name = dimensionNames[dimension];
    const at = name === undefined ? -1 : (of.dimensionNames?.indexOf(name) ?? -1);
    return of.shape[at] === length ? at : -1;
  });
  return dimensions.includes(-1) ? undefined : dimensions;
}

/** Nothing where there is no value. */
function besideValue(node: ArrayNode, value: number | undefined): readonly BesideValue[] {
  if (value === undefined || Number.isNaN(value)) return [];
  const time = scalingOf(node.metadata, node.attributes)?.time;
  const found = { name: node.name, role: roleOf(node), units: textOf(node, "units"), value };
  return [time === undefined ? found : { ...found, time }];
}

// Chunks wanted one by one, by many who do not know each other (tiles of a picture, points of a series): those wanted
// at about the same time share requests. They are read in the order in which they are wanted; one whose signal fires
// before its turn is dropped.

interface WantedChunk {
  readonly set: EngineSet;
  readonly node: ArrayNode;
  readonly coordinates: readonly number[];
}

interface Waiting extends WantedChunk {
  readonly context: CallContext;
  readonly resolve: (outcome: ReadOutcome | Promise<ReadOutcome>) => void;
  readonly reject: (reason: unknown) => void;
}

/** Wants that are put together into requests at once. */
const BATCH = 512;

/**
 * Bytes of a first block that others wait for, until one of its chunks is there: with them it would come much later.
 */
const LARGE = 4 * 1024 ** 2;

function chunkQueue(decoder: ChunkDecoder) {
  const queue: Waiting[] = [];
  const slots = newSlots();
  let isRunning = false;

  async function run(): Promise<void> {
    while (queue.length > 0) {
      // Calls that come with the same message loop are put together.
      await new Promise((resolve) => setTimeout(resolve, 0));
      const batch = queue.splice(0, BATCH);
      await readGroup(batch);
    }
    isRunning = false;
  }

  async function readGroup(group: readonly Waiting[]): Promise<void> {
    const waiting = new Map<ChunkReference, Waiting>();
    for (const one of group) {
      const reference = await referenceOf(one);
      if (reference !== undefined) waiting.set(reference, one);
    }
    const blocks = plannedBlocks([...waiting.keys()]);
    for (const [at, { chunks, bytes }] of blocks.entries()) {
      await slots.free(bytes);
      const wanted = chunks.filter((chunk) => waiting.get(chunk)?.context.signal.aborted === false);
      const reading = wanted.map((chunk) => readFor(chunk, waiting.get(chunk)));
      slots.hold(
        bytes,
        Promise.all(reading).then(() => undefined),
      );
      if (at === 0 && bytes >= LARGE && reading.length > 0) await Promise.race(reading);
    }
  }

  async function readFor(chunk: ChunkReference, one: Waiting | undefined): Promise<void> {
    if (one === undefined) return;
    await readOne({ set: one.set, decoder }, chunk, one.context).then(one.resolve, one.reject);
  }

  return {
    /** Throws for an abort, and where the array has no such chunk. */
    want: (chunk: WantedChunk, context: CallContext) =>
      new Promise<ReadOutcome>((resolve, reject) => {
        context.signal.throwIfAborted();
        context.signal.addEventListener("abort", () => reject(context.signal.reason), { once: true });
        queue.push({ ...chunk, context, resolve, reject });
        if (isRunning) return;
        isRunning = true;
        void run();
      }),
  };
}

/** `undefined` where it is no longer wanted, or was refused. */
async function referenceOf({ set, node, coordinates, context, reject }: Waiting): Promise<ChunkReference | undefined> {
  if (context.signal.aborted) return undefined;
  try {
    return await chunkReference(set, node, coordinates, context);
  } catch (error) {
    reject(error);
    return undefined;
  }
}

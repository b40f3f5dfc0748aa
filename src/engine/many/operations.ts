/** Planes through whole arrays: what they cost, their chunks one by one, and what stands along their sides. */
import type { CallContext } from "../../core/byte-source.ts";
import { scalingOf } from "../../core/cf.ts";
import { gridOf, insideShape, ordinalOf } from "../../core/chunk-grid.ts";
import { hasNumbers } from "../../core/data-type.ts";
import type { Finding } from "../../core/findings/finding.ts";
import {
  planePart,
  type Plane,
  type PlaneCost,
  type PlanePart,
  type PlaneSteps,
  type PlaneTile,
  type ValuesAbout,
} from "../../core/plane.ts";
import { numberReader, type ShownChunk } from "../../core/slice.ts";
import { givingAway } from "../../core/transfer.ts";
import { decodeValues } from "../../core/values.ts";
import { aboutChunk } from "../chunk/load-chunk.ts";
import { textAttribute, variableTitle } from "../describe/variable-title.ts";
import { arrayNode, noteResult } from "../engine-set.ts";
import type { ArrayNode } from "../../core/hierarchy.ts";
import type { House } from "../sessions.ts";
import { axisOf } from "./axis.ts";
import type { Axis } from "../../core/axis.ts";
import type { CachedChunk } from "./chunk-cache.ts";
import { chunkQueue } from "./chunk-queue.ts";
import { planeCost } from "./plane-cost.ts";
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

/** Milliseconds between two events of one set that chunks were read. */
const EVENT_PAUSE = 200;

export function planeOperations({ sessions, kept, decoder, say }: House) {
  const queue = chunkQueue(decoder);
  const announced = new Map<number, ReturnType<typeof setTimeout>>();

  function announce(set: number): void {
    if (announced.has(set)) return;
    const later = () => {
      announced.delete(set);
      say({ kind: "read", set });
    };
    announced.set(set, setTimeout(later, EVENT_PAUSE));
  }

  /** Its values from the cache, else read. */
  async function chunkOf(
    { set: id, array }: OfArray,
    coordinates: readonly number[],
    context: CallContext,
  ): Promise<CachedChunk | { readonly kind: "failed"; readonly error: Finding }> {
    const { set, found } = sessions.get(id);
    const node = arrayNode(set, array);
    const { shape, chunks } = node.metadata;
    const ordinal = ordinalOf(gridOf(shape, chunks), coordinates) ?? -1;
    const known = kept.get(id, array, ordinal);
    if (known !== undefined) return known;
    const outcome = await queue.want({ set, node, coordinates }, context);
    const { chunk } = outcome;
    found.delete(chunk.key);
    found.set(chunk.key, findingsOf(outcome));
    noteResult(set, array, ordinal, outcome.kind === "failed" ? "failed" : "ok");
    announce(id);
    if (outcome.kind === "failed") return { kind: "failed", error: aboutChunk(outcome.error, chunk) };
    const read = cachedOf(outcome, node);
    kept.keep(id, array, ordinal, read);
    return read;
  }

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
    about: ({ set: id, array }: OfArray): ValuesAbout => aboutValues(arrayNode(sessions.get(id).set, array)),
    /** `undefined` where nothing stands along the dimension. */
    axis(
      { set: id, array, dimension }: OfArray & { readonly dimension: number },
      context: CallContext,
    ): Promise<Axis | undefined> {
      const { set } = sessions.get(id);
      return axisOf({ set, node: arrayNode(set, array), decoder }, dimension, context);
    },
  };
}

function findingsOf(outcome: ReadOutcome): readonly Finding[] {
  const { chunk, findings } = outcome;
  return outcome.kind === "failed" ? [...findings, aboutChunk(outcome.error, chunk)] : findings;
}

function cachedOf(outcome: Exclude<ReadOutcome, { kind: "failed" }>, { metadata }: ArrayNode): CachedChunk {
  if (outcome.kind === "missing") return { kind: "missing" };
  const { bytes, values } = outcome.decoded;
  return { kind: "values", values: values ?? decodeValues(bytes, metadata) };
}

function aboutValues(node: ArrayNode): ValuesAbout {
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
  chunk: CachedChunk | { readonly kind: "failed"; readonly error: Finding },
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

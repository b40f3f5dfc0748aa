/**
 * Coordinates along a dimension: the values of its coordinate variable (CF §5, netCDF's rule: an array of the same
 * name).
 */
import type { Axis, AxisRole, AxisValues } from "#core/cf/axis.ts";
import type { CallContext, Locations } from "#core/byte-source.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { outOfReach } from "#core/findings/out-of-reach.ts";
import { nearPaths } from "#core/metadata/hierarchy-path.ts";
import { wholeDimension } from "#core/plane/selection.ts";
import { attribute } from "#core/metadata/attribute.ts";
import type { EngineSet } from "../engine-set.ts";
import { isFree } from "#core/plane/plane-budget.ts";
import { readPart, type ArrayPart } from "./array-part.ts";
import type { ReadOutcome } from "./read-chunks.ts";
import { planeCost } from "./plane-cost.ts";
import type { ChunkDecoder } from "../chunk/chunk-decoder.ts";

const MAX_LENGTH = 1_000_000;

interface AxisOptions {
  readonly set: EngineSet;
  readonly node: ArrayNode;
  readonly decoder: ChunkDecoder;
  /** True if the cost was accepted; otherwise only free reads are made. */
  readonly isPaid: boolean;
  /** Called with what each chunk of the coordinate array gave. */
  readonly note?: (path: string, outcome: ReadOutcome) => void;
}

/** `undefined` where the dimension has no name, or no coordinate array. */
export async function axisOf(
  { set, node, decoder, isPaid, note }: AxisOptions,
  dimension: number,
  context: CallContext,
): Promise<Axis | undefined> {
  const coordinate = coordinateArray(set, node, dimension);
  if (coordinate === undefined) return undefined;
  const [length = 0] = coordinate.metadata.shape;
  const found = { array: coordinate.path, role: roleOf(coordinate), units: textOf(coordinate, "units") };
  if (length > MAX_LENGTH) return found;
  const plane = { row: undefined, column: 0, at: [0] };
  if (!isPaid && !isFree(await planeCost({ set, node: coordinate, plane }, () => false, context))) return found;
  const selection = [wholeDimension(length)];
  const noted = (outcome: ReadOutcome) => note?.(coordinate.path, outcome);
  const part = await readPart({ set, node: coordinate, selection, cf: true, decoder, note: noted }, context);
  const [failed] = part.failed.values();
  const kept = KEPT.get(coordinate);
  const { locations } = set.targets;
  if (failed !== undefined) {
    const isKept = outOfReach(failed) !== undefined && kept?.set === set && kept.locations === locations;
    return isKept ? { ...found, values: kept.values } : { ...found, failed };
  }
  const values = axisValues(part, length);
  if (length <= MAX_KEPT) KEPT.set(coordinate, { set, locations, values });
  return { ...found, values };
}

/** Values that were read stay where their source is out of reach afterwards. */
const KEPT = new WeakMap<ArrayNode, { set: EngineSet; locations: Locations; values: AxisValues }>();
const MAX_KEPT = 100_000;

/** Coordinate array in the array's group or one above it: one dimension, of the same length. */
export function coordinateArray(
  { hierarchy }: EngineSet,
  { path, metadata }: ArrayNode,
  dimension: number,
): ArrayNode | undefined {
  const name = metadata.dimensionNames?.[dimension];
  if (name === undefined || name === "") return undefined;
  for (const near of nearPaths(path, name)) {
    const node = hierarchy.nodes.get(near);
    if (node?.kind !== "array") continue;
    const { shape } = node.metadata;
    if (shape.length === 1 && shape[0] === metadata.shape[dimension]) return node;
  }
  return undefined;
}

function axisValues(part: ArrayPart, length: number): AxisValues {
  if (part.dtype === "<M8[ns]") return { kind: "dates", nanoseconds: new BigInt64Array(part.bytes.buffer) };
  const texts = Array.from({ length }, (_, at) => part.json(at));
  const numbers = Float64Array.from(texts, (text) => Number(text === "null" ? NaN : text));
  if (!numbers.every((number) => Number.isNaN(number))) return { kind: "numbers", numbers };
  return { kind: "texts", texts: texts.map((text) => (text.startsWith('"') ? (JSON.parse(text) as string) : text)) };
}

export function textOf(node: ArrayNode, name: string): string | undefined {
  const value = attribute(node.attributes, name);
  return typeof value === "string" ? value : undefined;
}

/** Role by standard name, units (CF §4.1 to §4.4), or the names in use. */
export function roleOf(node: ArrayNode): AxisRole {
  const units = textOf(node, "units") ?? "";
  const standard = textOf(node, "standard_name") ?? "";
  if (standard === "latitude" || /^degrees?_?(?:north|N)$/.test(units)) return "latitude";
  if (standard === "longitude" || /^degrees?_?(?:east|E)$/.test(units)) return "longitude";
  if (standard === "time" || / since /.test(units)) return "time";
  if (/^lat(?:itude)?$/i.test(node.name)) return "latitude";
  return /^lon(?:gitude)?$/i.test(node.name) ? "longitude" : "other";
}

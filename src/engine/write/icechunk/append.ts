/**
 * A dataset laid onto a branch of a repository: new groups and arrays, or new steps along a dimension. What keeps it from
 * fitting is found before anything is written.
 */
import { nodePathOf } from "#core/metadata/hierarchy-path.ts";
import type { CallContext } from "#core/byte-source.ts";
import { finding, type Finding, nodeAt, WHOLE_SET } from "#core/findings/finding.ts";
import type { AppendProblem } from "#core/findings/catalogue/formats/icechunk.ts";
import { isJsonObject, type JsonNode } from "#core/json/json.ts";
import { jsonValueOf, parseJsonTree, writeJson, writeJsonNode } from "#core/json/parse-json.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { meaningDifferences, meaningOf, METADATA_MEMBERS } from "#core/metadata/meaning.ts";
import { cellCount, edgesText } from "#core/metadata/chunk-grid.ts";
import { wholeDimension } from "#core/plane/selection.ts";
import { buildHierarchy } from "#core/metadata/build-hierarchy.ts";
import { float64Of, numbersOf } from "#core/values/values.ts";
import { codecTable } from "#codecs/codec-table.ts";
import type { Snapshot, SnapshotNode } from "#formats/icechunk/index.ts";
import type { ChunkDecoder } from "#engine/chunk/chunk-decoder.ts";
import { arrayNode, type EngineSet } from "#engine/engine-set.ts";
import { readSelection } from "#engine/many/read-selection.ts";
import { indexTable } from "#engine/table/table-index.ts";
import { writeNotes } from "../notes.ts";
import type { IcechunkPlan, PlannedNode } from "./plan.ts";
import { refersAlike } from "./same-references.ts";

/** A branch of a repository, as it is. */
export interface AppendBase {
  readonly set: EngineSet;
  readonly snapshot: Snapshot;
}

export interface AppendPlan {
  readonly plan: IcechunkPlan;
  readonly snapshot: Snapshot;
  readonly fresh: readonly PlannedNode[];
  readonly grown: readonly GrownArray[];
  /** Reasons for which nothing may be written. */
  readonly problems: readonly Finding[];
}

/** An array of the repository that becomes longer. */
export interface GrownArray {
  readonly planned: PlannedNode;
  readonly old: SnapshotNode;
  readonly axis: number;
  /** Elements and chunks along the axis before. */
  readonly from: { readonly length: number; readonly chunks: number };
  /** The node's `zarr.json` with the new shape. */
  readonly metadata: Uint8Array<ArrayBuffer>;
  /** Chunks along each dimension. */
  readonly grid: readonly number[];
  readonly shape: readonly { readonly arrayLength: number; readonly chunks: number }[];
}

export interface AppendWish {
  /** Dimension that grows. */
  readonly along?: string | undefined;
  readonly decoder: ChunkDecoder;
}

/** Reads coordinates of both along the dimension, and arrays that must be the same unless their references are. */
export async function planAppend(
  plan: IcechunkPlan,
  { set, snapshot }: AppendBase,
  { along, decoder }: AppendWish,
  context: CallContext,
): Promise<AppendPlan> {
  const known = new Map(snapshot.nodes.map((node) => [node.path.slice(1), node]));
  const written = buildHierarchy(documentsOf(plan.nodes), [], await codecTable()).hierarchy.nodes;
  const fresh: PlannedNode[] = [];
  const grown: GrownArray[] = [];
  const problems: Finding[] = [];
  const notes = writeNotes();
  const index = indexTable(plan.table);
  for (const planned of plan.nodes) {
    const old = known.get(planned.path);
    if (old === undefined) fresh.push(planned);
    else if ((old.kind === "array") !== (planned.array !== undefined)) problems.push(problem(planned.path, "kind"));
    else if (old.kind === "group") notes.changed("group-attributes", planned.path, otherAttributes(planned, old));
    else {
      const theirs = written.get(planned.path);
      if (theirs?.kind !== "array") continue;
      const pair = { planned, old, ours: arrayNode(set, planned.path), theirs };
      const axis = along === undefined ? -1 : (pair.ours.metadata.dimensionNames ?? []).indexOf(along);
      const differing = differences(pair, axis);
      problems.push(...differing);
      if (differing.length > 0) continue;
      if (axis >= 0) grown.push(grownArray(pair, axis));
      const sides = [set, plan.set].map((of) => ({ set: of, decoder, context }));
      if (axis < 0 && !(await refersAlike(pair, { plan, index, set }, context)))
        problems.push(...(await otherValues(pair, sides)));
      if (axis >= 0 && isCoordinate(pair.ours, along)) problems.push(...(await notContinued(pair, sides)));
    }
  }
  problems.push(...notGrown(set, plan.nodes, along), ...late(fresh, grown, along));
  if (problems.length === 0 && along !== undefined && grown.length === 0)
    problems.push(problem("", "no-dimension", { name: along }));
  if (problems.length === 0 && fresh.length + grown.length === 0) problems.push(problem("", "nothing"));
  const findings = [...plan.findings, ...notes.list()];
  return { plan: { ...plan, findings }, snapshot, fresh, grown, problems };
}

/** Attributes counted that the repository's group lacks, or has with other values. */
function otherAttributes(planned: PlannedNode, old: SnapshotNode): number {
  const [own, other] = [old.metadata, planned.metadata].map(attributesOf);
  return [...(other ?? [])].filter(([name, value]) => value !== own?.get(name)).length;
}

/** JSON of attributes by name. */
function attributesOf(document: Uint8Array): ReadonlyMap<string, string> {
  const value = jsonValueOf(parseJsonTree(new TextDecoder().decode(document)).root);
  const attributes = isJsonObject(value) ? value.get("attributes") : undefined;
  return new Map([...(isJsonObject(attributes) ? attributes : [])].map(([name, one]) => [name, writeJson(one)]));
}

/** Documents that will be written: metadata of Zarr v2 are compared in their form of v3. */
function* documentsOf(nodes: readonly PlannedNode[]) {
  for (const { path, metadata } of nodes) {
    const key = path === "" ? "zarr.json" : `${path}/zarr.json`;
    yield { key, text: new TextDecoder().decode(metadata) };
  }
}

const problem = (path: string, why: AppendProblem, facts: { expected?: string; found?: string; name?: string } = {}) =>
  finding("append-refused", path === "" ? WHOLE_SET : nodeAt(path), {
    problem: why,
    array: path,
    expected: facts.expected ?? "",
    found: facts.found ?? "",
    name: facts.name ?? "",
  });

interface Pair {
  readonly planned: PlannedNode;
  readonly old: SnapshotNode;
  /** The repository's. */
  readonly ours: ArrayNode;
  /** The dataset's, as it will be written. */
  readonly theirs: ArrayNode;
}

const isCoordinate = ({ path, metadata }: ArrayNode, along: string | undefined): boolean =>
  metadata.shape.length === 1 && path.slice(path.lastIndexOf("/") + 1) === along;

const edgesOf = ({ metadata }: ArrayNode) => metadata.sharding?.shape ?? metadata.chunks;

/** Chunks of another compression level are decoded alike. */
const HELD = METADATA_MEMBERS.filter((member) => member !== "shape" && member !== "level");

/** `axis`: -1 of arrays that do not grow. */
function differences({ planned: { path }, ours, theirs }: Pair, axis: number): readonly Finding[] {
  const members = meaningDifferences(meaningOf(ours), meaningOf(theirs), HELD);
  const found = members.map(({ member, a, b }) => problem(path, "member", { name: member, expected: a, found: b }));
  if (ours.metadata.shape.length !== theirs.metadata.shape.length) return found;
  for (const [at, length] of ours.metadata.shape.entries()) {
    const other = theirs.metadata.shape[at] ?? 0;
    const name = ours.metadata.dimensionNames?.[at] ?? `dimension ${at}`;
    if (at !== axis && length !== other)
      found.push(problem(path, "length", { name, expected: String(length), found: String(other) }));
    const edges = edgesOf(ours)[at] ?? 1;
    if (at === axis && (typeof edges !== "number" || length % edges !== 0))
      found.push(problem(path, "boundary", { name, expected: edgesText(edges), found: String(length) }));
  }
  return found;
}

function grownArray({ planned, old, ours, theirs }: Pair, axis: number): GrownArray {
  const [edges, length] = [edgesOf(ours)[axis], ours.metadata.shape[axis] ?? 0];
  const chunks = length / (typeof edges === "number" ? edges : 1);
  const shape = ours.metadata.shape.map((one, at) => one + (at === axis ? (theirs.metadata.shape[at] ?? 0) : 0));
  const grid = (planned.array?.grid ?? []).map((count, at) => count + (at === axis ? chunks : 0));
  return {
    planned,
    old,
    axis,
    from: { length, chunks },
    metadata: withShape(old.metadata, shape),
    grid,
    shape: shape.map((arrayLength, at) => ({ arrayLength, chunks: grid[at] ?? 0 })),
  };
}

/** All else stays as it is written. */
function withShape(document: Uint8Array, shape: readonly number[]): Uint8Array<ArrayBuffer> {
  const { root } = parseJsonTree(new TextDecoder().decode(document));
  const node = parseJsonTree(`[${shape.join(", ")}]`).root;
  const changed: JsonNode =
    root.kind === "object"
      ? { ...root, members: root.members.map((one) => (one.key === "shape" ? { ...one, node } : one)) }
      : root;
  return new TextEncoder().encode(writeJsonNode(changed));
}

/** Arrays of the repository that have the dimension, but nothing to grow by; in another group it is another one. */
function notGrown({ hierarchy }: EngineSet, nodes: readonly PlannedNode[], along: string | undefined) {
  if (along === undefined) return [];
  const paths = new Set(nodes.map(({ path }) => path));
  const has = (path: string) => {
    const node = hierarchy.nodes.get(path);
    return node?.kind === "array" && node.metadata.dimensionNames?.includes(along) === true;
  };
  const groups = new Set([...paths].filter(has).map(nodePathOf));
  return [...hierarchy.nodes.keys()]
    .filter((path) => has(path) && !paths.has(path) && groups.has(nodePathOf(path)))
    .map((path) => problem(path, "lacking", { name: along }));
}

/** New arrays would lack the steps that the others have. */
function late(fresh: readonly PlannedNode[], grown: readonly GrownArray[], along: string | undefined) {
  const groups = new Set(grown.map(({ planned }) => nodePathOf(planned.path)));
  return fresh
    .filter(
      ({ path, array }) => groups.has(nodePathOf(path)) && array?.dimensionNames?.includes(along ?? null) === true,
    )
    .map(({ path }) => problem(path, "late", { name: along ?? "" }));
}

interface Side {
  readonly set: EngineSet;
  readonly decoder: ChunkDecoder;
  readonly context: CallContext;
}

/** Elements of an array that are compared. */
const MOST_ELEMENTS = 2 ** 24;

const isLarge = ({ metadata: { shape } }: ArrayNode): boolean => cellCount(shape) > MOST_ELEMENTS;

const uncompared = ({ ours, theirs, planned: { path } }: Pair) =>
  problem(path, isLarge(ours) || isLarge(theirs) ? "too-large" : "unread");

/** `undefined` where there are too many, or some cannot be read. */
async function elementsOf(node: ArrayNode, { set, decoder, context }: Side) {
  if (isLarge(node)) return undefined;
  const selection = node.metadata.shape.map((length) => wholeDimension(length));
  const elements = await readSelection({ set, node, decoder, selection }, context);
  return elements.failed.size > 0 ? undefined : elements;
}

async function bothSides({ ours, planned: { path } }: Pair, sides: readonly Side[]) {
  const [own, other] = sides;
  if (own === undefined || other === undefined) return undefined;
  const [a, b] = [await elementsOf(ours, own), await elementsOf(arrayNode(other.set, path), other)];
  return a === undefined || b === undefined ? undefined : ([a, b] as const);
}

async function otherValues(pair: Pair, sides: readonly Side[]): Promise<readonly Finding[]> {
  const { path } = pair.planned;
  const both = await bothSides(pair, sides);
  if (both === undefined) return [uncompared(pair)];
  const [a, b] = both;
  const isSame =
    a.bytes.every((byte, at) => byte === b.bytes[at]) && (a.texts ?? []).every((text, at) => text === b.texts?.[at]);
  return isSame ? [] : [problem(path, "values")];
}

/** Values must go on beyond the last one, in the direction that they have. */
async function notContinued(pair: Pair, sides: readonly Side[]): Promise<readonly Finding[]> {
  const { path } = pair.planned;
  const both = await bothSides(pair, sides);
  if (both === undefined) return [uncompared(pair)];
  const { dataType } = pair.ours.metadata;
  const [before = [], after = []] = both.map(({ bytes }) =>
    float64Of(numbersOf(bytes, dataType) ?? new Float64Array()),
  );
  const [last, next] = [before.at(-1), after[0]];
  if (last === undefined || next === undefined) return [];
  const [one = 0, two = 0] = before.length > 1 ? before.slice(-2) : after.slice(0, 2);
  const isNext = two < one ? next < last : next > last;
  return isNext ? [] : [problem(path, "order", { expected: String(last), found: String(next) })];
}

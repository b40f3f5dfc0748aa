/** What of a set rules on readers ask for: from its metadata and columns, without a request. */
import type { CallContext } from "../../../core/byte-source.ts";
import type { Finding } from "../../../core/findings/finding.ts";
import type { ArrayNode } from "../../../core/hierarchy.ts";
import { ARRAY_NONE, TARGET_INLINE } from "../../../core/reference-table.ts";
import type { FeatureId, SetFormatFeature } from "../../../core/readers/rules.ts";
import type { FeatureUse } from "../../../core/readers/verdict.ts";
import { isDocument, type EngineSet } from "../../engine-set.ts";
import { startPace } from "../../pace.ts";
import { eachBlock } from "../../table/array-index.ts";
import { arrayFeatures } from "./array-features.ts";
import { foundFeatures } from "./found-features.ts";
import { renderingFeatures } from "./rendering-features.ts";

const FORMATS: ReadonlySet<string> = new Set<SetFormatFeature>([
  "kerchunk-json",
  "kerchunk-parquet",
  "icechunk",
  "zarr",
]);

/** @param found what is known of the set besides: what reading chunks found tells of its servers */
export async function featuresOf(
  set: EngineSet,
  found: readonly Finding[],
  context: CallContext,
): Promise<readonly FeatureUse[]> {
  return [
    ...formatOf(set),
    ...(await renderingFeatures(set, context)),
    ...metadataAsObjects(set),
    ...arrayUses(set),
    ...stateUses(set),
    ...(await emptyInline(set, context)),
    ...(await targetUses(set, context)),
    ...foundFeatures(set, found),
  ];
}

function formatOf({ format, refused }: EngineSet): readonly FeatureUse[] {
  const whole = { count: 1, of: 1, unit: "set" } as const;
  const known = FORMATS.has(format.kind) ? [{ feature: format.kind as SetFormatFeature, ...whole }] : [];
  return refused === undefined ? known : [...known, { feature: "refused", ...whole, error: refused.code }];
}

function metadataAsObjects(set: EngineSet): readonly FeatureUse[] {
  if (!isDocument(set)) return [];
  const { metadata } = set.document;
  const objects = metadata.filter(({ isObject }) => isObject === true);
  return used("object-metadata", objects.length, metadata.length, "document", objects[0]?.key);
}

function used(
  feature: FeatureId,
  count: number,
  of: number,
  unit: FeatureUse["unit"],
  first?: string,
): readonly FeatureUse[] {
  return count === 0 ? [] : [{ feature, count, of, unit, ...(first === undefined ? {} : { first }) }];
}

/** By the arrays that have each feature: their chunks. */
function arrayUses(set: EngineSet): readonly FeatureUse[] {
  const by = new Map<FeatureId, ArrayNode[]>();
  for (const node of set.hierarchy.nodes.values()) {
    if (node.kind !== "array") continue;
    for (const feature of arrayFeatures(node, set.format.kind)) by.set(feature, [...(by.get(feature) ?? []), node]);
  }
  return [...by].flatMap(([feature, nodes]) => {
    // Of some only missing chunks are concerned.
    const of = (path: string) => {
      const counts = set.tally.arrays.get(path);
      return (feature === "null-fill-64" ? counts?.states.missing : counts?.cells) ?? 0;
    };
    const arrays = nodes.map(({ path }) => path).filter((path) => feature !== "null-fill-64" || of(path) > 0);
    const count = arrays.reduce((sum, path) => sum + of(path), 0);
    const [first] = arrays;
    if (first === undefined) return [];
    return [{ feature, count, of: set.tally.cells, unit: "chunk" as const, arrays, first }];
  });
}

function stateUses({ tally, format }: EngineSet): readonly FeatureUse[] {
  const { whole, virtual, inline } = tally.states;
  const { references } = tally;
  return [
    // Of a store whose chunks are its own objects each is one.
    ...(format.kind === "zarr" ? [] : used("whole-file", whole, references, "reference")),
    ...used("virtual-chunks", virtual, references, "chunk"),
    ...used("inline", inline, references, "reference"),
    ...used("null-target", tally.nullTarget.references, references, "reference"),
  ];
}

async function emptyInline({ table, tally }: EngineSet, context: CallContext): Promise<readonly FeatureUse[]> {
  if (tally.states.inline === 0) return [];
  let count = 0;
  const pace = startPace(context, "Looking for what readers differ in", table.rows);
  await eachBlock(table, pace, ({ array, target, length }, _first, rows) => {
    for (let i = 0; i < rows; i += 1)
      if (target[i] === TARGET_INLINE && length[i] === 0 && array[i] !== ARRAY_NONE) count += 1;
  });
  return used("empty-inline", count, tally.references, "chunk");
}

const SCHEME = /^[a-z][a-z\d+.-]*:/i;
/** That zarrita's default fetch knows. */
const FETCHED = /^(?:https?|s3|gs|gcs|data):/i;

/** What of a URL readers differ in. */
function targetFeatures(text: string): readonly FeatureId[] {
  if (!SCHEME.test(text)) return ["relative-target"];
  if (/^s3:/i.test(text)) return ["s3-target"];
  return FETCHED.test(text) ? [] : ["scheme-zarrita-lacks"];
}

/** A URL each, with all references to it. */
async function targetUses({ table, tally }: EngineSet, context: CallContext): Promise<readonly FeatureUse[]> {
  const { targets } = table;
  const pace = startPace(context, "Looking at targets", targets.count);
  const counts = new Map<FeatureId, { count: number; readonly first: string }>();
  for (let id = 0; id < targets.count; id += 1) {
    if (id % 4096 === 0) await pace.yieldIfDue(id);
    const references = tally.targetReferences[id] ?? 0;
    if (references === 0) continue;
    const text = targets.text(id);
    for (const feature of targetFeatures(text)) {
      const known = counts.get(feature) ?? { count: 0, first: text };
      known.count += references;
      counts.set(feature, known);
    }
  }
  return [...counts].flatMap(([feature, { count, first }]) =>
    used(feature, count, tally.references, "reference", first),
  );
}

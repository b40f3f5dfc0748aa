/** What templates and gen of a document mean to readers. fsspec's default mode is computed key by key, as the studio does. */
import type { CallContext } from "../../../core/byte-source.ts";
import { isJsonObject } from "../../../core/json.ts";
import { parseJson } from "../../../core/parse-json.ts";
import type { FeatureUse } from "../../../core/readers/verdict.ts";
import { documentIndex } from "../../edit/document-index.ts";
import { simpleReader } from "../../edit/simple-reader.ts";
import { isDocument, type DocumentSet, type EngineSet } from "../../engine-set.ts";
import { startPace } from "../../pace.ts";

export async function renderingFeatures(set: EngineSet, context: CallContext): Promise<readonly FeatureUse[]> {
  if (!isDocument(set) || set.renderer === undefined || set.format.hasTemplates !== true) return [];
  const of = set.keys;
  const made = set.renderer.size;
  const gen: readonly FeatureUse[] = made === 0 ? [] : [{ feature: "gen", count: made, of, unit: "reference" }];
  return [...gen, ...functionsOf(set), ...(await templatesIn(set, context)), ...(await simpleMode(set, context))];
}

/** Templates that hold a template are functions to fsspec. */
function functionsOf({ document }: DocumentSet): readonly FeatureUse[] {
  const { value } = parseJson(document.templates ?? "{}");
  if (!isJsonObject(value)) return [];
  const first = [...value].find(([, template]) => typeof template === "string" && template.includes("{{"))?.[0];
  return first === undefined ? [] : [{ feature: "function-templates", count: 1, of: 1, unit: "set", first }];
}

/** References whose URL holds a template. */
async function templatesIn({ table, tally, keys, origins }: DocumentSet, context: CallContext) {
  const { targets } = table;
  const pace = startPace(context, "Looking for templates", targets.count);
  let [count, first] = [0, undefined as string | undefined];
  for (let id = 0; id < targets.count && origins.refsRows > 0; id += 1) {
    if (id % 4096 === 0) await pace.yieldIfDue(id);
    const written = targets.written(id);
    if (!written.includes("{{")) continue;
    count += tally.targetReferences[id] ?? 0;
    first ??= written;
  }
  if (count === 0) return [];
  return [
    { feature: "templates", count, of: keys, unit: "reference", ...(first === undefined ? {} : { first }) },
  ] as const;
}

/** Keys that gen makes are lost to it besides, and counted apart. */
async function simpleMode(set: DocumentSet, context: CallContext): Promise<readonly FeatureUse[]> {
  const { outcome, first } = await simpleReader(documentIndex(set)).summary(context);
  const at = first === undefined ? {} : { first };
  if (outcome.kind === "refuses")
    return [{ feature: "simple-refuses", count: 1, of: 1, unit: "set", error: outcome.error, ...at }];
  if (outcome.kind !== "differs" || outcome.other === 0) return [];
  return [{ feature: "simple-other", count: outcome.other, of: set.keys, unit: "reference", ...at }];
}

/** Chunk manifests, a storage transformer that VirtualiZarr and zarr-java write: where an array's chunks lie. */
import { attempt } from "../basics.ts";
import { isJsonObject, membersOf } from "../json/json.ts";
import { jsonValueOf, parseJsonTree, writeJsonNode } from "../json/parse-json.ts";

export const MANIFEST_NAMES: ReadonlySet<unknown> = new Set([
  "chunk-manifest-json",
  "chunk_manifest_json",
  "chunk-manifest",
]);

/** For metadata whose chunks are handed on by keys: a manifest has been followed, and readers refuse what names one. */
export function withoutManifest(text: string): string {
  if (!text.includes("storage_transformers")) return text;
  const members = membersOf(attempt(() => parseJsonTree(text).root));
  const node = members?.get("storage_transformers");
  const transformers = node && jsonValueOf(node);
  if (members === undefined || !Array.isArray(transformers) || transformers.length === 0) return text;
  if (!transformers.every((one) => isJsonObject(one) && MANIFEST_NAMES.has(one.get("name")))) return text;
  const written = Array.from(members, ([name, value]) => {
    return `${JSON.stringify(name)}:${name === "storage_transformers" ? "[]" : writeJsonNode(value)}`;
  });
  return `{${written.join(",")}}`;
}

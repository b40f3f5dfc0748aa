/** Whether an array's chunks are given by a manifest, and where that is. */
import type { ArrayMetadata, CodecConfiguration } from "../../core/array-metadata.ts";
import { gridOf, type KeySeparator } from "../../core/chunk-grid.ts";
import { finding, type Finding } from "../../core/findings/finding.ts";
import { nodeAt } from "../../core/findings/place.ts";
import { describeJson, isJsonObject, type JsonObject } from "../../core/json.ts";
import { candidatePaths } from "./base.ts";

const NAMES = new Set(["chunk-manifest-json", "chunk_manifest_json", "chunk-manifest"]);

export type ManifestReference = { readonly findings: readonly Finding[] } & (
  | { readonly kind: "none" }
  /** `path` as written; `key` is the store key it means, beside the array's metadata, or the URL where it is one. */
  | { readonly kind: "file"; readonly path: string; readonly key: string }
  | { readonly kind: "inline"; readonly value: JsonObject }
  /** The transformer is there and does not say where the manifest is: no chunk of the array is known. */
  | { readonly kind: "broken" }
);

/** The manifest that the array's `storage_transformers` name. Other transformers are findings. */
export function manifestOf(metadata: ArrayMetadata, arrayPath: string): ManifestReference {
  const findings: Finding[] = [];
  let found: CodecConfiguration | undefined;
  for (const [index, transformer] of (metadata.storageTransformers ?? []).entries()) {
    const place = nodeAt(arrayPath, `/storage_transformers/${index}`);
    if (!NAMES.has(transformer.id)) {
      findings.push(finding("storage-transformer-unknown", place, { name: transformer.id }));
    } else if (found === undefined) found = transformer;
    else findings.push(finding("chunk-manifest-repeated", place, {}));
  }
  if (found === undefined) return { kind: "none", findings };
  const manifest = found.configuration.get("manifest");
  if (isJsonObject(manifest)) return { kind: "inline", value: manifest, findings };
  if (typeof manifest !== "string" || manifest === "") {
    const written = manifest === "" ? "an empty text" : describeJson(manifest);
    return {
      kind: "broken",
      findings: [...findings, finding("chunk-manifest-invalid", nodeAt(arrayPath), { found: written })],
    };
  }
  return { kind: "file", path: manifest, key: candidatePaths(arrayPath, manifest)[0] ?? manifest, findings };
}

/** The grid that a manifest's keys count: of chunks, or of shards where the array has them. */
export function storedGrid(metadata: ArrayMetadata): readonly number[] {
  return gridOf(metadata.shape, metadata.sharding?.shape ?? metadata.chunks);
}

/** How the metadata write the keys of that grid. */
export const storedSeparator = ({ sharding, separator }: ArrayMetadata): KeySeparator =>
  sharding?.separator ?? separator;

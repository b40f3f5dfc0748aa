/** Whether an array's chunks are given by a manifest, and where that is. */
import type { ArrayMetadata, CodecConfiguration } from "../../core/array-metadata.ts";
import { gridOf } from "../../core/chunk-grid.ts";
import type { Finding } from "../../core/finding.ts";
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
    const pointer = `/storage_transformers/${index}`;
    if (!NAMES.has(transformer.id)) findings.push(unknownTransformer(arrayPath, pointer, transformer.id));
    else if (found === undefined) found = transformer;
    else findings.push(secondManifest(arrayPath, pointer));
  }
  if (found === undefined) return { kind: "none", findings };
  const manifest = found.configuration.get("manifest");
  if (isJsonObject(manifest)) return { kind: "inline", value: manifest, findings };
  if (typeof manifest !== "string" || manifest === "") {
    const written = manifest === "" ? "an empty text" : describeJson(manifest);
    return { kind: "broken", findings: [...findings, noManifest(arrayPath, written)] };
  }
  return { kind: "file", path: manifest, key: candidatePaths(arrayPath, manifest)[0] ?? manifest, findings };
}

/** The grid that a manifest's keys count: of chunks, or of shards where the array has them. */
export function storedGrid(metadata: ArrayMetadata): readonly number[] {
  return gridOf(metadata.shape, metadata.sharding?.shape ?? metadata.chunks);
}

function unknownTransformer(array: string, pointer: string, id: string): Finding {
  return {
    code: "storage-transformer-unknown",
    severity: "error",
    array,
    message: `${pointer} is the storage transformer ${JSON.stringify(id)}; only chunk-manifest-json can be read, so what is stored may not be what the array's metadata describe.`,
    advice: "Do not trust the array's chunks here; read it with the software that wrote it.",
  };
}

function secondManifest(array: string, pointer: string): Finding {
  return {
    code: "chunk-manifest-repeated",
    severity: "warning",
    array,
    message: `${pointer} is another chunk manifest; an array is expected to have one, and the first is used.`,
    advice: "Merge the manifests into one.",
  };
}

function noManifest(array: string, found: string): Finding {
  return {
    code: "chunk-manifest-invalid",
    severity: "error",
    array,
    message: `The transformer chunk-manifest-json needs the member "manifest" in its configuration, a path or an object; found ${found}. Which chunks exist is unknown.`,
    advice: 'Give the manifest\'s path in zarr.json ("./manifest.json").',
  };
}

/** The chunk grid that a `.zarray` document describes (Zarr v2, "Metadata"). */
import { gridOf } from "#core/metadata/chunk-grid.ts";
import { NO_CODECS } from "#core/metadata/codec-table.ts";
import { leavesChunksUnplaced } from "#core/metadata/array-metadata.ts";
import { RefscopeError } from "#core/findings/finding.ts";
import { isJsonObject, type JsonValue } from "#core/json/json.ts";
import { parseArrayMetadataV3 } from "#core/metadata/parse-array-metadata-v3.ts";
import { parsed } from "#core/json/parse-json.ts";
import type { Grid } from "./slots.ts";

/** `undefined` where the text is not such a document; the hierarchy then says what is wrong with it. */
export function gridOfMetadata(text: string): Grid | undefined {
  const value = parsed(text);
  if (!isJsonObject(value)) return undefined;
  const shape = sizes(value.get("shape"));
  const chunks = sizes(value.get("chunks"));
  if (shape === undefined || chunks === undefined || shape.length !== chunks.length) return undefined;
  if (chunks.some((count) => count < 1)) return undefined;
  return { grid: gridOf(shape, chunks), separator: value.get("dimension_separator") === "/" ? "/" : "." };
}

/**
 * From a `zarr.json`; `undefined` where it is a group's or cannot be understood, `unread` where its chunk grid or chunk keys are
 * of a kind that is not read. Shards are what keys name.
 */
export function gridOfMetadataV3(text: string): Grid | "unread" | undefined {
  const value = parsed(text);
  if (!isJsonObject(value) || value.get("node_type") !== "array") return undefined;
  try {
    const { shape, chunks, separator, sharding } = parseArrayMetadataV3(text, NO_CODECS).metadata;
    return { grid: gridOf(shape, sharding?.shape ?? chunks), separator: sharding?.separator ?? separator };
  } catch (error) {
    return error instanceof RefscopeError && leavesChunksUnplaced(error.finding) ? "unread" : undefined;
  }
}

function sizes(value: JsonValue | undefined): readonly number[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const numbers = value.map((item) => (typeof item === "bigint" ? Number(item) : item));
  return numbers.every((item) => typeof item === "number" && Number.isSafeInteger(item) && item >= 0)
    ? (numbers as number[])
    : undefined;
}

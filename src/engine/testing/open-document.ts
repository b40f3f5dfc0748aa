/** For tests: a Kerchunk JSON document opened from an object, and what rules find in it. */
import type { Finding } from "#core/findings/finding.ts";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { checkReferences } from "../check/check-references.ts";
import type { DocumentSet } from "../engine-set.ts";
import { CONTEXT } from "../fixtures/plain-table.ts";
import { openSet } from "../open/kerchunk-json/open-document.ts";
import { textDocument } from "../chunk/sources.ts";

export async function openDocument(document: Readonly<Record<string, unknown>>): Promise<DocumentSet> {
  const opening = { locations: NO_LOCATIONS, network: {}, options: {}, context: CONTEXT };
  const opened = await openSet(textDocument(JSON.stringify(document), "x.json"), undefined, opening);
  if (opened.kind === "choose") throw new Error(opened.title);
  return opened.set;
}

/** Findings of one code. */
export async function foundIn(document: Readonly<Record<string, unknown>>, code: string): Promise<readonly Finding[]> {
  const { findings } = await checkReferences(await openDocument(document), CONTEXT);
  return findings.filter((found) => found.code === code);
}

/** Metadata of an array of Zarr v2 with chunks of one element, or what else is given. */
export function arrayOf(shape: readonly number[], more: Readonly<Record<string, unknown>> = {}): string {
  const rest = { compressor: null, filters: null, order: "C", fill_value: null };
  return JSON.stringify({ zarr_format: 2, shape, chunks: shape.map(() => 1), dtype: "<i2", ...rest, ...more });
}

export const named = (...names: readonly string[]): string => JSON.stringify({ _ARRAY_DIMENSIONS: names });

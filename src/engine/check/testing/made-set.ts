/** For tests: a set from its references as an object, and what the rules that are run when it is checked say of it. */
import { explained } from "#core/findings/explain.ts";
import type { Finding } from "#core/findings/finding.ts";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import type { DocumentSet } from "#engine/engine-set.ts";
import { CONTEXT } from "#engine/fixtures/plain-table.ts";
import { openSet } from "#engine/open/kerchunk-json/open-document.ts";
import { textDocument } from "#engine/chunk/sources.ts";
import { checkReferences } from "../check-references.ts";
import { chunkLengths } from "../rules/chunk-lengths.ts";
import { coverageRule } from "../rules/coverage.ts";
import { overlappingRanges, repeatedRanges } from "../rules/shared-ranges.ts";
import { sourceOrder } from "../rules/source-order.ts";
import { sourcesDisagree } from "../rules/sources-disagree.ts";
import { strayKeys } from "../rules/stray-keys.ts";

const RULES = [strayKeys, repeatedRanges, chunkLengths, overlappingRanges, sourcesDisagree, coverageRule, sourceOrder];

export type Refs = Readonly<Record<string, unknown>>;

export function madeSet(refs: Refs, more: object = {}): Promise<DocumentSet> {
  return textSet(JSON.stringify({ version: 1, ...more, refs: { ".zgroup": { zarr_format: 2 }, ...refs } }));
}

export async function textSet(text: string): Promise<DocumentSet> {
  const opening = { locations: NO_LOCATIONS, network: {}, options: {}, context: CONTEXT };
  const opened = await openSet(textDocument(text, "x.json"), undefined, opening);
  if (opened.kind === "choose") throw new Error(opened.title);
  return opened.set;
}

/** Those of the rules over references: what is made here has addresses that others have something to say of. */
export async function findingsOf(refs: Refs, more: object = {}): Promise<readonly Finding[]> {
  const { findings } = await checkReferences(await madeSet(refs, more), CONTEXT);
  const codes: ReadonlySet<string> = new Set(RULES.flatMap((rule) => rule.codes));
  return findings.filter(({ code }) => codes.has(code));
}

/** Without notes: "code: message". */
export async function alarmsOf(refs: Refs, more: object = {}): Promise<readonly string[]> {
  return (await findingsOf(refs, more)).flatMap((found) => {
    const { severity, message } = explained(found);
    return severity === "info" ? [] : [`${severity} ${found.code}: ${message}`];
  });
}

interface MadeArray {
  readonly shape: readonly number[];
  readonly chunks: readonly number[];
  readonly dtype?: string;
  readonly compressor?: object | null;
  readonly filters?: readonly object[] | null;
  readonly dimensions?: readonly string[];
}

/** Metadata documents of an array. */
export function arrayAt(path: string, made: MadeArray): Refs {
  const { shape, chunks, dtype = "<f4", compressor = null, filters = null, dimensions } = made;
  const zarray = { zarr_format: 2, shape, chunks, dtype, compressor, filters, order: "C", fill_value: null };
  const attributes = dimensions === undefined ? {} : { [`${path}/.zattrs`]: { _ARRAY_DIMENSIONS: dimensions } };
  return { [`${path}/.zarray`]: zarray, ...attributes };
}

export const ZLIB = { id: "zlib", level: 1 };

/** All codes. A subject is a file; a code is an entry in it. Fetched by the page when there is something to say. */
import { ADDRESS } from "./address.ts";
import { ARCHIVES } from "./archive.ts";
import { ARRAY_METADATA } from "./array-metadata.ts";
import { CF } from "./cf.ts";
import { CHUNK } from "./chunk.ts";
import { CODEC } from "./codec.ts";
import { CONVENTIONS } from "./conventions.ts";
import { DIMENSIONS } from "./dimensions.ts";
import { COORDINATE } from "./coordinate.ts";
import { DOCUMENT } from "./document.ts";
import { EXPECTATION } from "./expectation.ts";
import { FILES } from "./file.ts";
import { GRIB } from "./grib.ts";
import { GRID } from "./grid.ts";
import { HIERARCHY } from "./hierarchy.ts";
import { ICECHUNK_CHUNKS } from "./icechunk-chunks.ts";
import { ICECHUNK_COMPARE } from "./icechunk-compare.ts";
import { ICECHUNK } from "./icechunk.ts";
import { JSON_TEXT } from "./json.ts";
import { LAB } from "./lab.ts";
import { LENGTHS } from "./lengths.ts";
import { MANIFEST } from "./manifest.ts";
import { METADATA } from "./metadata.ts";
import { MISREAD } from "./misread.ts";
import { NETWORK } from "./network.ts";
import { OPEN } from "./open.ts";
import { PAGE } from "./page.ts";
import { PARQUET } from "./parquet.ts";
import { READERS } from "./readers.ts";
import { RANGES } from "./ranges.ts";
import { RADAR } from "./radar.ts";
import { REFERENCE } from "./reference.ts";
import { REQUEST } from "./request.ts";
import { SET } from "./set.ts";
import { SHARD } from "./shard.ts";
import { SOURCES } from "./sources.ts";
import { STUDIO } from "./studio.ts";
import { TABLE } from "./table.ts";
import { TARGET } from "./target.ts";
import { TEMPLATE } from "./template.ts";
import { URLS } from "./url.ts";
import { VALUES } from "./values.ts";
import type { Entry } from "./entry.ts";
import type { Facts } from "../fact.ts";

export const CATALOGUE = {
  ...ADDRESS,
  ...ARCHIVES,
  ...ARRAY_METADATA,
  ...CF,
  ...CHUNK,
  ...CODEC,
  ...CONVENTIONS,
  ...DIMENSIONS,
  ...COORDINATE,
  ...DOCUMENT,
  ...EXPECTATION,
  ...FILES,
  ...GRIB,
  ...GRID,
  ...HIERARCHY,
  ...ICECHUNK,
  ...ICECHUNK_CHUNKS,
  ...ICECHUNK_COMPARE,
  ...JSON_TEXT,
  ...LAB,
  ...LENGTHS,
  ...MANIFEST,
  ...METADATA,
  ...MISREAD,
  ...NETWORK,
  ...OPEN,
  ...PAGE,
  ...PARQUET,
  ...READERS,
  ...RANGES,
  ...RADAR,
  ...REFERENCE,
  ...REQUEST,
  ...SET,
  ...SHARD,
  ...SOURCES,
  ...STUDIO,
  ...TABLE,
  ...TARGET,
  ...TEMPLATE,
  ...URLS,
  ...VALUES,
};

export type Code = keyof typeof CATALOGUE;

export type FactsOf<C extends Code> = (typeof CATALOGUE)[C] extends Entry<infer F> ? F : never;

/** The entry of a code without the type of its facts, which went with the finding. */
export function entryOf(code: string): Entry<Facts> | undefined {
  return Object.hasOwn(CATALOGUE, code) ? (CATALOGUE[code as Code] as unknown as Entry<Facts>) : undefined;
}

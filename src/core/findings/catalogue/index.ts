/** All codes. A subject is a file; a code is an entry in it. Fetched by the page when there is something to say. */
import { ARCHIVES } from "./formats/archive.ts";
import { ARRAY_METADATA } from "./formats/array-metadata.ts";
import { CF } from "./cf.ts";
import { CODEC } from "./codec.ts";
import { DATA_FILE } from "./formats/data-file.ts";
import { CONVENTIONS } from "./formats/conventions.ts";
import { DIMENSIONS } from "./dimensions.ts";
import { COORDINATE } from "./coordinate.ts";
import { DOCUMENT } from "./formats/document.ts";
import { EXPECTATION } from "./expectation.ts";
import { GRIB } from "./formats/grib.ts";
import { GRID } from "./grid.ts";
import { HELD } from "./held.ts";
import { HIERARCHY } from "./formats/hierarchy.ts";
import { ICECHUNK_CHUNKS } from "./formats/icechunk-chunks.ts";
import { ICECHUNK } from "./formats/icechunk.ts";
import { JSON_TEXT } from "./formats/json.ts";
import { LAB } from "./lab.ts";
import { LENGTHS } from "./lengths.ts";
import { MANIFEST } from "./formats/manifest.ts";
import { METADATA } from "./formats/metadata.ts";
import { MISREAD } from "./misread.ts";
import { NETWORK } from "./network.ts";
import { OPEN } from "./open.ts";
import { PAGE } from "./page.ts";
import { PARQUET } from "./formats/parquet.ts";
import { READERS } from "./readers.ts";
import { RANGES } from "./ranges.ts";
import { PREFLIGHT } from "./preflight.ts";
import { RADAR } from "./radar.ts";
import { REFERENCE } from "./reference.ts";
import { SET } from "./set.ts";
import { SHARD } from "./formats/shard.ts";
import { SOURCES } from "./sources.ts";
import { STUDIO } from "./studio.ts";
import { TARGET } from "./target.ts";
import { TEMPLATE } from "./formats/template.ts";
import { URLS } from "./url.ts";
import { VALUES } from "./values.ts";
import { WITNESS } from "./witness.ts";
import type { Entry } from "./entry.ts";
import type { Facts } from "../fact.ts";

export const CATALOGUE = {
  ...ARCHIVES,
  ...ARRAY_METADATA,
  ...CF,
  ...CODEC,
  ...CONVENTIONS,
  ...DATA_FILE,
  ...DIMENSIONS,
  ...COORDINATE,
  ...DOCUMENT,
  ...EXPECTATION,
  ...GRIB,
  ...GRID,
  ...HELD,
  ...HIERARCHY,
  ...ICECHUNK,
  ...ICECHUNK_CHUNKS,
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
  ...PREFLIGHT,
  ...READERS,
  ...RANGES,
  ...RADAR,
  ...REFERENCE,
  ...SET,
  ...SHARD,
  ...SOURCES,
  ...STUDIO,
  ...TARGET,
  ...TEMPLATE,
  ...URLS,
  ...VALUES,
  ...WITNESS,
};

export type Code = keyof typeof CATALOGUE;

export type FactsOf<C extends Code> = (typeof CATALOGUE)[C] extends Entry<infer F> ? F : never;

/** The entry of a code without the type of its facts, which went with the finding. */
export function entryOf(code: string): Entry<Facts> | undefined {
  return Object.hasOwn(CATALOGUE, code) ? (CATALOGUE[code as Code] as unknown as Entry<Facts>) : undefined;
}

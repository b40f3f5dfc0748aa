/** All codes. A subject is a file; a code is an entry in it. Fetched by the page when there is something to say. */
import { CHUNK } from "./chunk.ts";
import { CODEC } from "./codec.ts";
import { DOCUMENT } from "./document.ts";
import { GRIB } from "./grib.ts";
import { ICECHUNK_CHUNKS } from "./icechunk-chunks.ts";
import { ICECHUNK_COMPARE } from "./icechunk-compare.ts";
import { ICECHUNK } from "./icechunk.ts";
import { LAB } from "./lab.ts";
import { MANIFEST } from "./manifest.ts";
import { NETWORK } from "./network.ts";
import { PAGE } from "./page.ts";
import { PARQUET } from "./parquet.ts";
import { REFERENCE } from "./reference.ts";
import { SHARD } from "./shard.ts";
import { STUDIO } from "./studio.ts";
import { TABLE } from "./table.ts";
import { TEMPLATE } from "./template.ts";
import { VALUES } from "./values.ts";
import type { Entry, Facts } from "./entry.ts";

export const CATALOGUE = {
  ...CHUNK,
  ...CODEC,
  ...DOCUMENT,
  ...GRIB,
  ...ICECHUNK_CHUNKS,
  ...ICECHUNK_COMPARE,
  ...ICECHUNK,
  ...LAB,
  ...MANIFEST,
  ...NETWORK,
  ...PAGE,
  ...PARQUET,
  ...REFERENCE,
  ...SHARD,
  ...STUDIO,
  ...TABLE,
  ...TEMPLATE,
  ...VALUES,
};

export type Code = keyof typeof CATALOGUE;

export type FactsOf<C extends Code> = (typeof CATALOGUE)[C] extends Entry<infer F> ? F : never;

/** The entry of a code without the type of its facts, which went with the finding. */
export function entryOf(code: string): Entry<Facts> | undefined {
  return Object.hasOwn(CATALOGUE, code) ? (CATALOGUE[code as Code] as unknown as Entry<Facts>) : undefined;
}

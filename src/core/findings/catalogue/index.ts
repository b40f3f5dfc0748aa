/** All codes. A subject is a file; a code is an entry in it. Fetched by the page when there is something to say. */
import { ADDRESS } from "./address.ts";
import { ARCHIVES } from "./archive.ts";
import { FILES } from "./file.ts";
import { ICECHUNK } from "./icechunk.ts";
import { ICECHUNK_CHUNKS } from "./icechunk-chunks.ts";
import { ICECHUNK_COMPARE } from "./icechunk-compare.ts";
import { NETWORK } from "./network.ts";
import { OPEN } from "./open.ts";
import { PAGE } from "./page.ts";
import { REQUEST } from "./request.ts";
import { TARGET } from "./target.ts";
import type { Entry, Facts } from "./entry.ts";

export const CATALOGUE = {
  ...ADDRESS,
  ...ARCHIVES,
  ...FILES,
  ...ICECHUNK,
  ...ICECHUNK_CHUNKS,
  ...ICECHUNK_COMPARE,
  ...NETWORK,
  ...OPEN,
  ...PAGE,
  ...REQUEST,
  ...TARGET,
};

export type Code = keyof typeof CATALOGUE;

export type FactsOf<C extends Code> = (typeof CATALOGUE)[C] extends Entry<infer F> ? F : never;

/** The entry of a code without the type of its facts, which went with the finding. */
export function entryOf(code: string): Entry<Facts> | undefined {
  return Object.hasOwn(CATALOGUE, code) ? (CATALOGUE[code as Code] as unknown as Entry<Facts>) : undefined;
}

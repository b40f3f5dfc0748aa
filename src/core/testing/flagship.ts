/**
 * For tests: recorded cases of what published virtual stores need decoded, with their bytes, where they lie beside the
 * project as the whole corpus does (corpus.ts). The repository has a few of them, in the folders of fixtures.
 */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../../..");
export const FLAGSHIP = resolve(ROOT, process.env["REFSCOPE_SHARED"] ?? "../shared", "fixtures/flagship");
const LIST = join(FLAGSHIP, "cases.json");

/** A case; the README of the folder describes the further fields of each kind. */
export interface FlagshipCase {
  readonly id: string;
  readonly kind: string;
  /** Below the folder. */
  readonly file: string;
}

/** All cases of a kind; none where they are not there. */
export function flagshipCases(kind: string): readonly FlagshipCase[] {
  if (!existsSync(LIST)) return [];
  return (JSON.parse(readFileSync(LIST, "utf8")) as readonly FlagshipCase[]).filter((one) => one.kind === kind);
}

export function flagshipBytes({ file }: FlagshipCase): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(join(FLAGSHIP, file)));
}

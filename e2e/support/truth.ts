/** What Python reads of the sample. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

export const SAMPLES = resolve(import.meta.dirname, "../../public/samples");

interface Truth {
  readonly arrays: Record<string, { chunks_read: Record<string, Record<string, number>> }>;
}

export function truthOf(array: string, name: string): Record<string, number> {
  const path = resolve(import.meta.dirname, "../../src/engine/fixtures/ocean.v1.truth.json");
  const truth = JSON.parse(readFileSync(path, "utf8")) as Truth;
  return truth.arrays[array]!.chunks_read[name]!;
}

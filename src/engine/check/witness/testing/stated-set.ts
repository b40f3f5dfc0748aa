/** For tests: a set of small inline arrays, and what witnesses say of it. */
import { explained } from "#core/findings/explain.ts";
import type { Finding } from "#core/findings/finding.ts";
import { inThread } from "#engine/chunk/chunk-decoder.ts";
import { CONTEXT } from "#engine/fixtures/plain-table.ts";
import { checkValues } from "../../values/check-values.ts";
import type { ArrayFacts } from "../../values/value-facts.ts";
import { madeSet, type Refs } from "../../testing/made-set.ts";
import { checkWitnesses } from "../check-witnesses.ts";

const ARRAYS = { "<f8": Float64Array, "<i2": Int16Array, "|i1": Int8Array };

interface StatedArray {
  /** In C order. */
  readonly values: readonly number[];
  /** Absent = one dimension, named as the array. */
  readonly dimensions?: readonly string[];
  readonly shape?: readonly number[];
  readonly dtype?: keyof typeof ARRAYS;
  readonly [attribute: string]: unknown;
}

/** An array in one inline chunk; integers wrap. */
export function statedArray(
  path: string,
  { values, dimensions, shape, dtype = "<f8", ...attributes }: StatedArray,
): Refs {
  const own = shape ?? [values.length];
  const zarray = { zarr_format: 2, shape: own, chunks: own, dtype, compressor: null, filters: null, order: "C" };
  const bytes = Buffer.from(ARRAYS[dtype].from(values).buffer).toString("base64");
  return {
    [`${path}/.zarray`]: { ...zarray, fill_value: null },
    [`${path}/.zattrs`]: { _ARRAY_DIMENSIONS: dimensions ?? [path.slice(path.lastIndexOf("/") + 1)], ...attributes },
    [`${path}/${own.map(() => "0").join(".") || "0"}`]: `base64:${bytes}`,
  };
}

/** All chunks were decoded before. */
export async function witnessed(refs: Refs, before: readonly Finding[] = []) {
  const set = await madeSet(refs);
  let facts: readonly ArrayFacts[] = [];
  await checkValues(set, { chunks: "all", decoder: inThread, onFacts: (all) => void (facts = all) }, CONTEXT);
  return checkWitnesses(set, { decoder: inThread, isPaid: true, isDeep: true, facts, before }, CONTEXT);
}

/** "code array: message", without notes. */
export async function disagreements(...parts: readonly Refs[]): Promise<readonly string[]> {
  const { findings } = await witnessed(Object.assign({}, ...parts) as Refs);
  return findings.map(told).filter((text) => text !== "");
}

function told(found: Finding): string {
  const { severity, message } = explained(found);
  const { place } = found;
  return severity === "info" ? "" : `${found.code} ${place.kind === "node" ? place.path : ""}: ${message}`;
}

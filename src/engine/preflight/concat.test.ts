/** Files of all kinds of netCDF along a dimension, against what xarray.concat makes of them (`fixtures/README.md`). */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { stopsCombining } from "#core/check/preflight.ts";
import { wholeDimension } from "#core/plane/selection.ts";
import { droppedFiles } from "#io/local-files.ts";
import { arrayNode, type EngineSet } from "../engine-set.ts";
import { plainText, readPart } from "../many/array-part.ts";
import { inThread } from "../chunk/chunk-decoder.ts";
import { openFiles } from "../open/open-any.ts";
import { combine } from "./combine.ts";
import { examine } from "./preflight.ts";

interface ConcatSet {
  readonly id: string;
  readonly kind: string;
  readonly time: "record" | "fixed" | "scalar";
  readonly group: string | null;
  /** `types`, `more`: a type, or the variables, differ between files. */
  readonly with: readonly string[];
  readonly files: readonly string[];
  readonly truth: Record<string, { readonly shape: readonly number[]; readonly values: readonly (number | string)[] }>;
}

const FOLDER = join(import.meta.dirname, "fixtures/concat");
const SETS = JSON.parse(readFileSync(join(FOLDER, "truth.json"), "utf8")) as readonly ConcatSet[];
const CONTEXT = { signal: new AbortController().signal, report: () => undefined };
const network = { http: { fetch: () => Promise.reject(new Error("There is no network.")), attempts: 1 } };

async function opened(files: Readonly<Record<string, BlobPart>>, choice: string): Promise<EngineSet> {
  const dropped = droppedFiles(Object.entries(files).map(([path, part]) => ({ path, blob: new Blob([part]) })));
  const options = { choice: `${choice}\n` };
  const set = await openFiles(dropped, { locations: NO_LOCATIONS, network, options, context: CONTEXT });
  if (set.kind !== "set") throw new Error(set.title);
  return set.set;
}

async function valuesOf(set: EngineSet, path: string): Promise<readonly (number | string)[]> {
  const node = arrayNode(set, path);
  const selection = node.metadata.shape.map(wholeDimension);
  const part = await readPart({ set, node, selection, cf: false, decoder: inThread }, CONTEXT);
  expect(part.failed.size).toBe(0);
  const length = part.shape.reduce((size, extent) => size * extent, 1);
  return Array.from({ length }, (_, at) => {
    const json: unknown = JSON.parse(part.json(at));
    return typeof json === "number" ? json : plainText(part.json(at));
  });
}

async function combinedOf({ files, group }: ConcatSet, along: string | undefined) {
  const bytes = Object.fromEntries(files.map((name) => [name, new Uint8Array(readFileSync(join(FOLDER, name)))]));
  const given = await Promise.all(
    files.map(async (name) => ({ name, set: await opened({ [name]: bytes[name] as BlobPart }, name) })),
  );
  const asked = along === undefined || group === null ? along : `${group}/${along}`;
  const found = await examine(given, { along: asked }, inThread, CONTEXT);
  const stopping = found.answer.findings.filter(stopsCombining).map(({ code }) => code);
  if (stopping.length > 0) return { stopping };
  const text = [...(await combine(found, inThread, CONTEXT)).text()].join("");
  return { stopping, set: await opened({ ...bytes, "all.json": text }, "all.json") };
}

describe.each([undefined, "time"])("along %s", (along) => {
  it.each(SETS.map((one) => [`${one.id} ${one.kind}, ${one.time} time`, one] as const))("%s", async (_, one) => {
    const { stopping, set } = await combinedOf(one, along);
    if (set === undefined) {
      const expected = one.with.includes("types") ? "dtype-differs" : "variable-missing";
      expect(one.with.filter((name) => name === "types" || name === "more")).not.toEqual([]);
      expect(stopping).toContain(expected);
      return;
    }
    for (const [name, { shape, values }] of Object.entries(one.truth)) {
      const path = one.group === null ? name : `${one.group}/${name}`;
      const own = await valuesOf(set, path);
      // xarray repeats along the dimension what does not have it.
      const times = values.length / own.length;
      expect({ name, values: Array.from({ length: times }, () => own).flat() }).toEqual({ name, values });
      if (times === 1) expect(arrayNode(set, path).metadata.shape).toEqual(shape);
    }
  });
});

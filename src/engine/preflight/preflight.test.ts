/**
 * Cases of files that are or are not one dataset, with what stands against each (`fixtures/README.md`), some here and all
 * where they lie beside the project. What is combined reads as its files do one by one, in the order of their dates.
 */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { stopsCombining } from "#core/check/preflight.ts";
import { wholeDimension } from "#core/plane/selection.ts";
import { droppedFiles } from "#io/local-files.ts";
import { arrayNode, type EngineSet } from "../engine-set.ts";
import { readPart } from "../many/array-part.ts";
import { inThread } from "../chunk/chunk-decoder.ts";
import { openFiles } from "../open/open-any.ts";
import { combine } from "./combine.ts";
import { examine } from "./preflight.ts";

interface Case {
  readonly files: readonly string[];
  readonly barriers: readonly string[];
  readonly arguments: { readonly concat_dims: readonly [string] };
  readonly true_times?: readonly string[];
  /** Facts that the recorded set reads as. */
  readonly reads?: {
    readonly variables?: Record<string, { readonly shape: readonly number[]; readonly values?: readonly number[] }>;
  };
}
type Cases = Readonly<Record<string, Case>>;

const OWN = join(import.meta.dirname, "fixtures");
const BESIDE = resolve(
  import.meta.dirname,
  "../../..",
  process.env["REFSCOPE_SHARED"] ?? "../shared",
  "fixtures/author/combine",
);
const casesIn = (folder: string) =>
  (JSON.parse(readFileSync(join(folder, "expected.json"), "utf8")) as { readonly cases: Cases }).cases;
const areBeside = existsSync(BESIDE);
if (!areBeside) console.log("The cases of combining do not lie beside the project: only those kept here are tested.");

const CONTEXT = { signal: new AbortController().signal, report: () => undefined };
const network = { http: { fetch: () => Promise.reject(new Error("There is no network.")), attempts: 1 } };

/** Opens files; `choice` says which one of several. */
async function opened(files: readonly (readonly [path: string, bytes: Uint8Array<ArrayBuffer>])[], choice: string) {
  const dropped = droppedFiles(files.map(([path, bytes]) => ({ path, blob: new Blob([bytes]) })));
  const options = { choice: `${choice}\n` };
  const set = await openFiles(dropped, { locations: NO_LOCATIONS, network, options, context: CONTEXT });
  if (set.kind !== "set") throw new Error(set.title);
  return set.set;
}

async function valuesOf(set: EngineSet, path: string): Promise<readonly string[]> {
  const node = arrayNode(set, path);
  const selection = node.metadata.shape.map(wholeDimension);
  const part = await readPart({ set, node, selection, cf: true, decoder: inThread }, CONTEXT);
  expect(part.failed.size).toBe(0);
  const length = part.shape.reduce((size, extent) => size * extent, 1);
  return Array.from({ length }, (_, at) => part.json(at));
}

async function examinedFiles(folder: string, names: readonly string[], along: string | undefined) {
  const files = names.map((name) => [name, new Uint8Array(readFileSync(join(folder, "files", name)))] as const);
  const given = await Promise.all(files.map(async (file) => ({ name: file[0], set: await opened([file], file[0]) })));
  return { files, given, found: await examine(given, { along }, inThread, CONTEXT) };
}

const INFO = ["order-of-files", "coordinate-gap", "codec-level-differs", "attributes-differ"];
/** Dimensions of the recorded reading that the files themselves do not have. */
const isNew = (name: string) => ["run", "member", "step", "var"].includes(name);

async function isAsRecorded(folder: string, one: Case): Promise<void> {
  const [dimension] = one.arguments.concat_dims;
  const { files, given, found } = await examinedFiles(folder, one.files, isNew(dimension) ? dimension : undefined);
  const { findings } = found.answer;
  const named = new Set(findings.map(({ code }) => code));
  expect([...named]).toEqual(expect.arrayContaining([...one.barriers]));
  expect([...named].filter((name) => !one.barriers.includes(name) && !INFO.includes(name))).toEqual([]);
  if (findings.some(stopsCombining)) {
    expect(one.barriers.length).toBeGreaterThan(0);
    return;
  }
  const combined = await combine(found, inThread, CONTEXT);
  const document = new TextEncoder().encode([...combined.text()].join(""));
  const set = await opened([["all.json", document], ...files], "all.json");
  expect(set.findings.filter(({ code }) => code !== "opened-as-is")).toEqual([]);
  if (one.true_times !== undefined)
    expect((await valuesOf(set, "time")).map((time) => timeText(time))).toEqual(one.true_times);
  for (const [path, { shape, values }] of Object.entries(one.reads?.variables ?? {})) {
    if (path === "time" && one.true_times !== undefined) continue;
    if (isNew(path) || path === "lat" || path === "lon")
      expect((await valuesOf(set, path)).map(Number)).toEqual(values);
    // Kerchunk gives files that count from other days another length.
    else if (!one.barriers.includes("time-units-differ")) expect(arrayNode(set, path).metadata.shape).toEqual(shape);
  }
  const order = found.placed.order.map(
    ({ name }) => given.find((file) => file.name === name) as (typeof given)[number],
  );
  for (const path of ["tas", "pr", "psl"].filter((name) => set.hierarchy.nodes.has(name))) {
    const having = order.filter((file) => file.set.hierarchy.nodes.has(path));
    const each = await Promise.all(having.map((file) => valuesOf(file.set, path)));
    expect(await valuesOf(set, path)).toEqual(each.flat());
  }
}

const timeText = (json: string): string => (JSON.parse(json) as string).slice(0, 19).replace("T", " ");

describe("files that are kept here", () => {
  it.each(Object.entries(casesIn(OWN)))("%s", (_, one) => isAsRecorded(OWN, one));
});

describe.skipIf(!areBeside)("files beside the project", () => {
  it.each(areBeside ? Object.entries(casesIn(BESIDE)) : [])("%s", (_, one) => isAsRecorded(BESIDE, one));
});

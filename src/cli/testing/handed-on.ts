/**
 * For tests: every way in which a dataset is handed on to other readers, what it gives read back, and what `read` gives.
 * A way is an entry of WAYS; `handed-on.test.ts` holds its keys to the commands and to what the package exports.
 */
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import * as zarr from "zarrita";
import { littleTypeText } from "#core/values/written-elements.ts";
import { parseSelection } from "#core/plane/selection.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { cellCount, chunkKey, coordinatesOf, gridOf } from "#core/metadata/chunk-grid.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import { readPart } from "#engine/many/array-part.ts";
import { datasetOf } from "#package/dataset.ts";
import { openRefs } from "../open-refs.ts";
import { serveStore } from "../serve/serve-command.ts";
import { CONTEXT } from "./open-corpus.ts";
import { runCommand } from "./run-command.ts";

export interface Fixture {
  readonly path: string;
  /** A folder that has it and what the ways make of it; absent where it was too large to be copied. */
  readonly base?: string;
  readonly options?: Readonly<Record<string, string>>;
}

/** Output of a way: the path to open, stderr and the exit code. */
export interface Handed {
  readonly path: string;
  readonly root?: string;
  readonly said: string;
  readonly status: number;
}

/** Not made, with why: a whole set that a way refuses is no silent loss. */
export type Made = Handed | { readonly refused: string };

/** `paths`: arrays whose chunks are asked for. */
type Make = (set: EngineSet, fixture: Fixture, folder: string, paths: ReadonlySet<string>) => Promise<Made>;

const optionsOf = ({ options = {} }: Fixture): string[] =>
  Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);

/** Paths in references are those beside the fixture; in what is written into a file, those from there. */
async function byCommand(fixture: Fixture, args: readonly string[], path: string): Promise<Made> {
  const { status, stdout, stderr } = await runCommand([...args, ...optionsOf(fixture)]);
  if (status > 1 || (args[0] !== "refs" && !existsSync(path))) return { refused: stderr };
  if (args[0] === "refs") writeFileSync(path, stdout);
  const root = args[0] === "refs" ? dirname(fixture.path) : (fixture.base ?? dirname(fixture.path));
  return { path, root, said: stderr, status };
}

const written =
  (form: string, name: string): Make =>
  (_, fixture, folder) =>
    byCommand(fixture, ["write", fixture.path, "--as", form, "--out", join(folder, name)], join(folder, name));

/** Chunks of an array that are gone through. */
const MAX_CHUNKS = 3000;

async function served(_: EngineSet, fixture: Fixture, folder: string, paths: ReadonlySet<string>): Promise<Made> {
  const said: string[] = [];
  const { error } = console;
  console.error = (line: string) => void said.push(line);
  let server: Awaited<ReturnType<typeof serveStore>>;
  try {
    server = await serveStore(fixture.path, { threads: 0, offline: true, ...fixture.options }, CONTEXT);
  } finally {
    console.error = error;
  }
  try {
    const get = async (key: string) => {
      const answer = await fetch(server.base + key.split("/").map(encodeURIComponent).join("/"));
      if (answer.status === 500) said.push(`${key}: ${await answer.text()}`);
      return answer.status === 200 ? new Uint8Array(await answer.arrayBuffer()) : undefined;
    };
    await storeIn(folder, paths, get);
  } finally {
    server.close();
  }
  return { path: folder, said: said.join("\n"), status: server.status };
}

/** A Zarr v2 store with consolidated metadata as a folder of files. */
async function storeIn(
  folder: string,
  paths: ReadonlySet<string>,
  get: (key: string) => Promise<Uint8Array | undefined>,
): Promise<void> {
  const put = (key: string, bytes: Uint8Array | undefined) => {
    if (bytes === undefined) return;
    mkdirSync(dirname(join(folder, key)), { recursive: true });
    writeFileSync(join(folder, key), bytes);
  };
  const consolidated = await get(".zmetadata");
  put(".zmetadata", consolidated);
  const { metadata } = JSON.parse(new TextDecoder().decode(consolidated)) as { metadata: Record<string, Zarray> };
  for (const [key, document] of Object.entries(metadata)) {
    put(key, new TextEncoder().encode(JSON.stringify(document)));
    const path = key.replace(/\/?\.zarray$/, "");
    if (path === key || !paths.has(path)) continue;
    const { shape, chunks, dimension_separator: separator = "." } = document;
    const grid = gridOf(shape, chunks);
    for (let ordinal = 0; ordinal < Math.min(MAX_CHUNKS, cellCount(grid)); ordinal += 1) {
      const chunk = chunkKey(path, coordinatesOf(grid, ordinal), separator);
      put(chunk, await get(chunk));
    }
  }
}

interface Zarray {
  readonly shape: readonly number[];
  readonly chunks: readonly number[];
  readonly dimension_separator?: "." | "/";
}

/** The stored form: the documents of the set, and chunks by the keys of its own grids. */
async function raw(set: EngineSet, _: Fixture, folder: string, paths: ReadonlySet<string>): Promise<Made> {
  const store = datasetOf(set).raw();
  const said: string[] = [];
  const put = async (key: string) => {
    const bytes = await store.get(`/${key}`).catch((error: unknown) => void said.push(`${key}: ${String(error)}`));
    if (bytes === undefined) return;
    mkdirSync(dirname(join(folder, key)), { recursive: true });
    writeFileSync(join(folder, key), bytes);
  };
  for (const key of set.documents.keys()) await put(key);
  for (const node of (set.unexpanded ?? set).hierarchy.nodes.values()) {
    if (node.kind !== "array" || !paths.has(node.path)) continue;
    const { shape, chunks, separator, sharding } = node.metadata;
    const grid = gridOf(shape, sharding?.shape ?? chunks);
    for (let ordinal = 0; ordinal < Math.min(MAX_CHUNKS, cellCount(grid)); ordinal += 1)
      await put(chunkKey(node.path, coordinatesOf(grid, ordinal), sharding?.separator ?? separator));
  }
  return { path: folder, said: said.join("\n"), status: said.length > 0 ? 1 : 0 };
}

/** Ways by the name of the command, or of the package's member, with the form after a space. */
export const WAYS: Readonly<Record<string, Make>> = {
  serve: served,
  refs: (_, fixture, folder) => byCommand(fixture, ["refs", fixture.path], join(folder, "refs.json")),
  "refs --zarr 3": (_, fixture, folder) =>
    byCommand(fixture, ["refs", fixture.path, "--zarr", "3"], join(folder, "refs.json")),
  "refs --inline-below": (_, fixture, folder) =>
    byCommand(fixture, ["refs", fixture.path, "--inline-below", "500"], join(folder, "refs.json")),
  "write kerchunk-json": written("kerchunk-json", "written.json"),
  "write kerchunk-json-v0": written("kerchunk-json-v0", "written.json"),
  "write kerchunk-parquet": written("kerchunk-parquet", "written.parq"),
  // Icechunk, which asks where sources will lie, has a sweep of its own: icechunk-written.deep.test.ts.
  "write zarr": written("zarr", "written.zarr"),
  combine: (set, fixture, folder) => {
    if (set.sourceFile === undefined) return Promise.resolve({ refused: "no data file" });
    const out = join(folder, "combined.json");
    return byCommand({ ...fixture, options: {} }, ["combine", fixture.path, "--out", out], out);
  },
  raw,
};

export type Outcome =
  | { readonly kind: "equal" | "unreadable" }
  /** Type or codec by name that it refuses; or the reader says that it lacks it. */
  | { readonly kind: "left-out" | "refused"; readonly why: string }
  | { readonly kind: "different"; readonly why: string };

/** The arrays of a set as `read` gives them: the JSON of every element of those without bytes of their own. */
export interface ReadArray {
  readonly sha256: string;
  /** Bytes of fixed size are read in the order that the metadata say. */
  readonly dtype: string;
  readonly texts: () => readonly unknown[];
}

/** Bytes. */
const MAX_SIZE = 2 ** 26;

export async function readArrays(set: EngineSet): Promise<ReadonlyMap<string, ReadArray | undefined>> {
  const found = new Map<string, ReadArray | undefined>();
  for (const node of set.hierarchy.nodes.values()) {
    if (node.kind === "array") found.set(node.path, await readArray(set, node));
  }
  return found;
}

async function readArray(set: EngineSet, node: ArrayNode): Promise<ReadArray | undefined> {
  const { shape, chunks, dataType } = node.metadata;
  const elements = cellCount(shape);
  if (elements * Math.max(1, dataType.itemSize) > MAX_SIZE || cellCount(gridOf(shape, chunks)) > MAX_CHUNKS)
    return undefined;
  const part = await readPart({ set, node, selection: parseSelection("...", shape), cf: false }, CONTEXT).catch(
    () => undefined,
  );
  if (part === undefined || part.failed.size > 0) return undefined;
  return {
    sha256: createHash("sha256").update(part.bytes).digest("hex"),
    dtype: littleTypeText(node.metadata),
    texts: () => Array.from({ length: elements }, (_, at): unknown => JSON.parse(part.json(at))),
  };
}

export async function openFixture({ path, options }: Fixture, root?: string): Promise<EngineSet> {
  const opened = await openRefs(path, { json: true, offline: true, root, ...options }, CONTEXT);
  if (opened.kind !== "set") throw new Error(opened.title);
  return opened.set;
}

export const newFolder = (): string => mkdtempSync(join(tmpdir(), "handed-on-"));

/** Reads the way's output here again and compares it with `read`. */
export async function readBack(made: Handed, all: Awaited<ReturnType<typeof readArrays>>) {
  const outcomes = new Map<string, Outcome>();
  const again = await openFixture({ path: made.path }, made.root).catch((error: unknown) => String(error));
  for (const [path, expected] of all) {
    if (expected === undefined) outcomes.set(path, { kind: "unreadable" });
    else if (typeof again === "string") outcomes.set(path, { kind: "different", why: again });
    else outcomes.set(path, await compared(again, path, expected, made));
  }
  return outcomes;
}

async function compared(again: EngineSet, path: string, expected: ReadArray, made: Handed): Promise<Outcome> {
  const node = again.hierarchy.nodes.get(path);
  if (node?.kind === "array") {
    const found = await readArray(again, node);
    if (found?.sha256 === expected.sha256) return { kind: "equal" };
    const isOtherOrder = found !== undefined && found.dtype.replace(">", "<") === expected.dtype.replace(">", "<");
    if (isOtherOrder && JSON.stringify(found.texts()) === JSON.stringify(expected.texts())) return { kind: "equal" };
    return { kind: "different", why: found === undefined ? "cannot be read" : "other values" };
  }
  return isNamed(path, made)
    ? { kind: "left-out", why: made.said }
    : { kind: "different", why: "left out without a word" };
}

const isNamed = (path: string, { said, status }: Handed): boolean => status === 1 && said.includes(path);

/** The same by zarrita, of what is a store of Zarr v2. */
export async function readByZarrita(
  store: zarr.AsyncReadable,
  made: Pick<Handed, "said" | "status">,
  all: Awaited<ReturnType<typeof readArrays>>,
) {
  const outcomes = new Map<string, Outcome>();
  for (const [path, expected] of all)
    outcomes.set(path, expected === undefined ? { kind: "unreadable" } : await byZarrita(store, path, expected, made));
  return outcomes;
}

async function byZarrita(
  store: zarr.AsyncReadable,
  path: string,
  expected: ReadArray,
  { said, status }: Pick<Handed, "said" | "status">,
): Promise<Outcome> {
  try {
    const array = await zarr.open.v2(zarr.root(store).resolve(`/${path}`), { kind: "array" });
    const { data } = array.shape.length === 0 ? await array.getChunk([]) : await zarr.get(array, null);
    if (isEqual(data, expected)) return { kind: "equal" };
    return { kind: "different", why: `other values: ${String([...(data as Iterable<unknown>)].slice(0, 4))}` };
  } catch (error) {
    if (status === 1 && said.includes(path)) return { kind: "left-out", why: said };
    const why = String(error);
    const isRefused =
      /Unsupported|Unknown|Unhandled|Float16Array|0-length|length 0|empty iterator/i.test(why) ||
      /No.*codec|dtype/i.test(why);
    return { kind: isRefused ? "refused" : "different", why };
  }
}

function isEqual(data: unknown, expected: ReadArray): boolean {
  if (ArrayBuffer.isView(data)) {
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    return createHash("sha256").update(bytes).digest("hex") === expected.sha256;
  }
  const theirs = [...(data as Iterable<unknown>)].map((one) => one ?? null);
  return JSON.stringify(theirs) === JSON.stringify(expected.texts());
}

const STORE_FILES: ReadonlySet<string> = new Set(["zarr.json", ".zgroup", ".zarray", ".zmetadata", "repo", "refs"]);
const NO_DATA = /(?:\.(?:md|py|sh|mjs|ts|txt|ya?ml|toml|log|cdl|csv|png|gz\.json)|truth[^/]*\.json|LICEN[CS]E[^/]*)$/i;

/** Stores and files below a folder that may be datasets, or the file itself. */
export function candidatesIn(folder: string): readonly string[] {
  if (!statSync(folder).isDirectory()) return [folder];
  const entries = readdirSync(folder, { withFileTypes: true });
  const isStore = entries.some(({ name }) => STORE_FILES.has(name)) || /\.(?:zarr|parq|parquet|icechunk)$/.test(folder);
  if (isStore) return [folder];
  return entries
    .toSorted((one, other) => one.name.localeCompare(other.name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return candidatesIn(path);
      return NO_DATA.test(entry.name) || statSync(path).size > 2 ** 25 ? [] : [path];
    });
}

export interface Law {
  readonly fixtures: number;
  readonly arrays: number;
  /** Outcomes by way and reader. */
  readonly ways: Readonly<Record<string, Record<Outcome["kind"] | "whole set refused", number>>>;
  readonly different: readonly string[];
  /** Whole sets, and why. */
  readonly refused: readonly string[];
}

/** Files that are copied, in bytes. */
const MAX_COPIED = 2 ** 25;

/** A dataset in a new folder, with all that lies beside it; a store alone where that is too much. */
function fixtureIn(base: string, path: string): Fixture {
  const isSmall = (folder: string) => {
    let size = 0;
    for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }))
      if ((size += statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0) > MAX_COPIED) return false;
    return true;
  };
  const data = join(base, "data");
  if (isSmall(dirname(path))) cpSync(dirname(path), data, { recursive: true, dereference: true });
  else if (statSync(path).isDirectory() && isSmall(path)) cpSync(path, join(data, basename(path)), { recursive: true });
  else return { path };
  return { path: join(data, basename(path)), base };
}

/** Every candidate that opens, by every way. `keep`: what was made is left, for other readers. */
export async function lawOf(candidates: readonly string[], keep?: (made: KeptMade) => void): Promise<Law> {
  const law: Counted = { fixtures: 0, arrays: 0, ways: {}, different: [], refused: [] };
  for (const path of candidates) {
    const base = newFolder();
    try {
      await lawOfOne(fixtureIn(base, path), path, base, law, keep);
    } finally {
      if (keep === undefined) rmSync(base, { recursive: true });
    }
  }
  return law;
}

interface Counted extends Law {
  fixtures: number;
  arrays: number;
  readonly ways: Record<string, Record<string, number>>;
  readonly different: string[];
  readonly refused: string[];
}

async function lawOfOne(
  fixture: Fixture,
  name: string,
  base: string,
  law: Counted,
  keep?: (made: KeptMade) => void,
): Promise<void> {
  const set = await openFixture(fixture).catch(() => undefined);
  if (set === undefined) return;
  const all = await readArrays(set);
  const readable = new Set([...all].flatMap(([path, one]) => (one === undefined ? [] : [path])));
  if (readable.size === 0) return;
  law.fixtures += 1;
  law.arrays += readable.size;
  const note = (way: string, kind: string) => {
    const counts = (law.ways[way] ??= {});
    counts[kind] = (counts[kind] ?? 0) + 1;
  };
  const noteAll = (way: string, outcomes: ReadonlyMap<string, Outcome>) => {
    for (const [path, outcome] of outcomes) {
      note(way, outcome.kind);
      if (outcome.kind === "different") law.different.push(`${way}: ${name} ${path}: ${brief(outcome.why)}`);
    }
  };
  const store = datasetOf(set).zarrita();
  const leftOut = await store.leftOut();
  const said = leftOut.map((one) => `${one.path}: ${one.message}`).join("\n");
  noteAll("zarrita()", await readByZarrita(store, { said, status: leftOut.length > 0 ? 1 : 0 }, all));
  noteAll(PRINTS, await printed(fixture, all));
  for (const [way, make] of Object.entries(WAYS)) {
    const folder = mkdtempSync(join(base, "made-"));
    const made = await make(set, fixture, folder, readable).catch((error: unknown) => ({ refused: String(error) }));
    if ("refused" in made) {
      note(way, "whole set refused");
      law.refused.push(`${way}: ${name}: ${brief(made.refused)}`);
      continue;
    }
    noteAll(way, await readBack(made, all));
    if (way === "serve") {
      const files: zarr.AsyncReadable = { get: (key) => Promise.resolve(fileAt(join(folder, key))) };
      noteAll("serve, zarrita", await readByZarrita(files, made, all));
    }
    keep?.({ way, fixture, made, all });
  }
}

/** The command that prints values. */
export const PRINTS = "read";
/** Elements whose values it prints as JSON. */
const MAX_PRINTED = 10_000;

/** JSON has every value, rows for people have all of a small array, and NumPy's file has the same bytes. */
async function printed(fixture: Fixture, all: Awaited<ReturnType<typeof readArrays>>) {
  const outcomes = new Map<string, Outcome>();
  for (const [path, expected] of all)
    outcomes.set(path, expected === undefined ? { kind: "unreadable" } : await printedOne(fixture, path, expected));
  return outcomes;
}

async function printedOne(fixture: Fixture, path: string, { sha256, texts }: ReadArray): Promise<Outcome> {
  const folder = newFolder();
  const file = join(folder, "values.npy");
  const asked = ["read", fixture.path, "--array", `/${path}`, "--threads", "0", "--offline", ...optionsOf(fixture)];
  const { stdout, stderr } = await runCommand([...asked, "--json"]);
  const people = await runCommand([...asked, "--npy", file]);
  const bytes = fileAt(file);
  rmSync(folder, { recursive: true });
  const answer = parsed(stdout) as { sha256?: string; shape: number[]; values?: unknown } | undefined;
  if (answer?.sha256 !== sha256) return { kind: "different", why: `JSON has another hash: ${stderr}` };
  if (bytes !== undefined) {
    const from = bytes[6] === 1 ? 10 + bytes[8]! + 256 * bytes[9]! : 12 + new DataView(bytes.buffer).getUint32(8, true);
    const own = createHash("sha256").update(bytes.subarray(from)).digest("hex");
    if (own !== sha256) return { kind: "different", why: "the file of NumPy's has other bytes" };
  }
  const elements = cellCount(answer.shape);
  if (elements > MAX_PRINTED) return { kind: "equal" };
  const values =
    answer.shape.length === 0 ? [answer.values] : (answer.values as unknown[]).flat(answer.shape.length - 1);
  if (JSON.stringify(values) !== JSON.stringify(texts())) return { kind: "different", why: "JSON has other values" };
  const isWhole = elements > 0 && (answer.shape.at(-1) ?? 1) <= 12 && elements / (answer.shape.at(-1) ?? 1) <= 20;
  const squeezed = (text: string) => text.replaceAll(/\s/g, "");
  const line = texts()
    .map((one) => JSON.stringify(one))
    .join("");
  if (
    isWhole &&
    !/[^ -~]|\\/.test(line) &&
    !/-?0\.0|e/.test(stdout) &&
    !squeezed(people.stdout).includes(squeezed(line))
  )
    return { kind: "different", why: `rows have other values: ${people.stdout.slice(0, 150)}` };
  return { kind: "equal" };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const brief = (why: string): string => why.slice(0, 200).replaceAll(/\s+/g, " ");

export interface KeptMade {
  readonly way: string;
  readonly fixture: Fixture;
  readonly made: Handed;
  readonly all: Awaited<ReturnType<typeof readArrays>>;
}

const fileAt = (path: string): Uint8Array | undefined =>
  existsSync(path) ? new Uint8Array(readFileSync(path)) : undefined;

/** Rectilinear chunk grids against what zarr-python reads (fixtures/README.md), however the array is brought. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { cellCount, coordinatesOf, encodedShape, gridOf, insideShape } from "#core/metadata/chunk-grid.ts";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { parseSelection, selectedShape } from "#core/plane/selection.ts";
import { flagshipCases } from "#core/testing/flagship.ts";
import { droppedFiles } from "#io/local-files.ts";
import { readChunk } from "#engine/chunk/read-chunk.ts";
import { digestArray } from "#engine/digest/digest.ts";
import { arrayNode, type EngineSet } from "#engine/engine-set.ts";
import { readPart } from "#engine/many/array-part.ts";
import { openFiles } from "../open-any.ts";

const CONTEXT = { signal: new AbortController().signal, report: () => undefined };

interface Store {
  readonly id: string;
  readonly files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
  readonly expected?: {
    readonly shape: readonly number[];
    readonly sha256?: string;
    readonly values?: readonly string[];
  };
  /** Chunk lengths written out. */
  readonly edges?: readonly (readonly number[])[];
  /** zarr-python's words where it refuses the store. */
  readonly error?: string;
}

type Written = Omit<Store, "files"> & { readonly files: Readonly<Record<string, unknown>> };

const bytesOf = (path: string, content: unknown): Uint8Array<ArrayBuffer> =>
  path === "zarr.json"
    ? new TextEncoder().encode(JSON.stringify(content))
    : new Uint8Array(Buffer.from(String(content), "base64"));

const recorded = JSON.parse(
  readFileSync(resolve(import.meta.dirname, "fixtures/rectilinear.json"), "utf8"),
) as readonly Written[];

const ours = recorded.map(({ files, ...store }): Store => {
  return { ...store, files: new Map(Object.entries(files).map(([path, content]) => [path, bytesOf(path, content)])) };
});

/** All stores with such grids beside the project; none where these are not there. */
function sharedStores(): readonly Store[] {
  const folder = resolve(import.meta.dirname, "../../../..", process.env["REFSCOPE_SHARED"] ?? "../shared");
  return flagshipCases("store")
    .filter(({ id }) => id.includes("rect-"))
    .map((one) => {
      const root = join(folder, "fixtures/flagship", one.file);
      if (!existsSync(root)) throw new Error(`${root} is not there.`);
      const paths = readdirSync(root, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(root, join(entry.parentPath, entry.name)));
      const files = new Map(paths.map((path) => [path, new Uint8Array(readFileSync(join(root, path)))]));
      return { ...(one as unknown as Omit<Store, "files">), files };
    });
}

async function open(files: Iterable<readonly [path: string, content: BlobPart]>): Promise<EngineSet> {
  const dropped = droppedFiles([...files].map(([path, content]) => ({ path, blob: new Blob([content]) })));
  const opened = await openFiles(dropped, { locations: NO_LOCATIONS, network: {}, options: {}, context: CONTEXT });
  if (opened.kind !== "set") throw new Error(opened.title);
  return opened.set;
}

const inFolder = (folder: string, { files }: Store) =>
  [...files].map(([path, bytes]) => [`${folder}/${path}`, bytes] as const);

function newHash() {
  const hash = createHash("sha256");
  return { update: (bytes: Uint8Array) => void hash.update(bytes), digest: () => hash.digest("hex") };
}

const GROUP = '{"zarr_format":3,"node_type":"group"}';

/** Hash of texts: of their JSON, as the digest has it; Python's, which escapes more letters. */
const textHash = (values: readonly string[]): string => {
  const escaped = JSON.stringify(values).replaceAll('","', '", "');
  const ascii = escaped.replace(/[^ -~]/gu, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return createHash("sha256").update(ascii).digest("hex");
};

async function expectRead(set: EngineSet, path: string, { expected }: Store): Promise<void> {
  const { digest } = await digestArray(set, arrayNode(set, path), { newHash, perChunk: false }, CONTEXT);
  expect(digest.errors).toBeUndefined();
  expect(digest.sha256).toBe(expected?.sha256 ?? textHash(expected?.values ?? []));
}

/** The chunks that hold elements, with the length of each and how much of it lies inside. */
function expectGrid(set: EngineSet, { edges = [], expected }: Store): void {
  const { shape, chunks, sharding } = arrayNode(set, "").metadata;
  const cut = sharding?.shape ?? chunks;
  const along = edges.map((lengths, at) => {
    let start = 0;
    return lengths.flatMap((length) => {
      const inside = Math.min(length, (shape[at] ?? 0) - start);
      start += length;
      return inside > 0 ? [{ length, inside }] : [];
    });
  });
  const grid = gridOf(shape, cut);
  expect(grid).toEqual(along.map((all) => all.length));
  for (let ordinal = 0; ordinal < Math.min(200, cellCount(grid)); ordinal += 1) {
    const coordinates = coordinatesOf(grid, ordinal);
    const wanted = coordinates.map((at, dimension) => along[dimension]?.[at]);
    expect(encodedShape(cut, coordinates)).toEqual(wanted.map((one) => one?.length));
    expect(insideShape(shape, cut, coordinates)).toEqual(wanted.map((one) => one?.inside));
  }
  expect(shape.length === 0 ? [1] : shape).toEqual(expected?.shape);
}

const MANY = "many-chunks";
const read = ours.filter(({ id, expected }) => expected !== undefined && id !== MANY);

describe.each(read.map((store) => [store.id, store] as const))("%s", (_id, store) => {
  it("as a store has the edges and values that zarr-python reads", async () => {
    const set = await open(inFolder("s", store));
    expect(set.findings.filter(({ code }) => !/^(?:chunks|steps)-missing$|^no-chunks$/.test(code))).toEqual([]);
    expectGrid(set, store);
    await expectRead(set, "", store);
  });

  it("as references has the same", async () => {
    const refs: [string, string][] = [["zarr.json", GROUP]];
    for (const [path, bytes] of store.files) {
      const text =
        path === "zarr.json" ? Buffer.from(bytes).toString() : `base64:${Buffer.from(bytes).toString("base64")}`;
      refs.push([`a/${path}`, text]);
    }
    const set = await open([["refs.json", JSON.stringify({ version: 1, refs: Object.fromEntries(refs) })]]);
    await expectRead(set, "a", store);
  });

  it("in parts has the elements of the whole", async () => {
    const set = await open(inFolder("s", store));
    const node = arrayNode(set, "");
    const { shape } = node.metadata;
    const partOf = (text: string) =>
      readPart({ set, node, selection: parseSelection(text, shape), cf: false }, CONTEXT);
    const whole = await partOf("...");
    for (const [from, step] of [
      [1, 1],
      [0, 2],
      [-1, -3],
    ]) {
      const text = shape.map(() => `${from}::${step}`).join(",");
      const part = await partOf(text);
      const selection = parseSelection(text, shape);
      const counts = selectedShape(selection);
      const wanted = Array.from({ length: shape.includes(0) ? 0 : cellCount(counts) }, (_, index) => {
        const at = coordinatesOf(counts, index).map(
          (one, d) => (selection[d]?.start ?? 0) + one * (selection[d]?.step ?? 1),
        );
        return whole.json(at.reduce((sum, one, d) => sum * (shape[d] ?? 1) + one, 0));
      });
      expect(wanted.map((_, index) => part.json(index))).toEqual(wanted);
    }
  });

  it("has each chunk by itself, in its own shape", async () => {
    const set = await open(inFolder("s", store));
    const { shape, chunks } = arrayNode(set, "").metadata;
    const grid = gridOf(shape, chunks);
    for (let ordinal = 0; ordinal < Math.min(30, cellCount(grid)); ordinal += 1) {
      const coordinates = coordinatesOf(grid, ordinal);
      const { reading } = await readChunk(set, "", coordinates, CONTEXT);
      expect(reading.error).toBeUndefined();
      if (reading.outcome === "missing") continue;
      expect(reading.values?.shape).toEqual(encodedShape(chunks, coordinates));
      expect(reading.values?.inside).toEqual(insideShape(shape, chunks, coordinates));
    }
  });
});

it("with very many chunks in few characters costs what is looked at", async () => {
  const store = ours.find(({ id }) => id === MANY);
  const set = await open(store === undefined ? [] : inFolder("s", store));
  const node = arrayNode(set, "");
  expect(gridOf(node.metadata.shape, node.metadata.chunks)).toEqual([59_998]);
  expect(set.tally.states.missing).toBe(59_998);
  const selection = parseSelection("59990:", node.metadata.shape);
  const part = await readPart({ set, node, selection, cf: false }, CONTEXT);
  expect([part.shape, part.missing]).toEqual([[10], 8]);
});

it("of a chunk manifest are read from the file that it names", async () => {
  const store = read.find(({ id }) => id === "2d");
  const metadata = JSON.parse(Buffer.from(store?.files.get("zarr.json") ?? []).toString()) as object;
  const entries: [string, object][] = [];
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  for (const [path, bytes] of store?.files ?? []) {
    if (path === "zarr.json") continue;
    entries.push([path.replace("c/", "").replaceAll("/", "."), { path: "./data.bin", offset, length: bytes.length }]);
    parts.push(bytes);
    offset += bytes.length;
  }
  const manifest = Object.fromEntries(entries);
  const transformers = [{ name: "chunk-manifest-json", configuration: { manifest } }];
  const set = await open([
    ["s/zarr.json", GROUP],
    ["s/a/zarr.json", JSON.stringify({ ...metadata, storage_transformers: transformers })],
    ["s/a/data.bin", new Blob(parts)],
  ]);
  if (store !== undefined) await expectRead(set, "a", store);
});

it("are what Python must be told of, and only these", async () => {
  const python = async (id: string) => {
    const store = ours.find((one) => one.id === id);
    const set = await open(store === undefined ? [] : inFolder("s", store));
    return set.format.python(set);
  };
  const option = 'zarr.config.set({"array.rectilinear_chunks": True})';
  expect(await python("2d")).toContain(option);
  // zarr-python asks for it by the name of the grid.
  expect(await python("2d-equal-lengths")).toContain(option);
  const regular = await open([["s/zarr.json", GROUP]]);
  expect(await regular.format.python(regular)).not.toContain(option);
});

const refused = ours.filter(({ error }) => error !== undefined);

it.each(refused.map((store) => [store.id, store] as const))(
  "%s is refused, as zarr-python does",
  async (_id, store) => {
    const set = await open(inFolder("s", store));
    const node = set.hierarchy.nodes.get("");
    expect(node?.kind).toBe("broken");
    const code = node?.kind === "broken" ? node.reason.code : "";
    expect(["metadata-broken", "chunk-grid-unsupported", "chunk-keys-unsupported", "shard-chunks-uneven"]).toContain(
      code,
    );
  },
);

const shared = sharedStores();

describe.skipIf(shared.length === 0)("all stores beside the project (skipped where they are not there)", () => {
  it.each(shared.map((store) => [store.id, store] as const))("%s", async (_id, store) => {
    const set = await open(inFolder("s", store));
    if (store.error !== undefined) return expect(set.hierarchy.nodes.get("")?.kind).toBe("broken");
    return expectRead(set, "", store);
  });
});

/** Files that other people's suites led to, read as HDF5 and netCDF-C read them (formats/hdf5/fixtures/suites). */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { droppedFiles } from "#io/local-files.ts";
import { digestArray } from "#engine/digest/digest.ts";
import { arrayNode, type EngineSet } from "#engine/engine-set.ts";
import { openFiles } from "../open-any.ts";
import generated from "#formats/hdf5/fixtures/generated/truth.json" with { type: "json" };
import truth from "#formats/hdf5/fixtures/suites/truth.json" with { type: "json" };

interface Truth {
  readonly shape: readonly number[];
  readonly sha256?: string;
  readonly values?: unknown;
  readonly dims?: readonly string[];
}

const CONTEXT = { signal: new AbortController().signal, report: () => undefined };
const FIXTURES = join(import.meta.dirname, "../../../formats/hdf5/fixtures");

async function opened(name: string, folder = "suites"): Promise<EngineSet> {
  const bytes = new Uint8Array(readFileSync(join(FIXTURES, folder, name)));
  const network = { http: { fetch: () => Promise.reject(new Error("There is no network.")), attempts: 1 } };
  const opening = { locations: NO_LOCATIONS, network, options: {}, context: CONTEXT };
  // A second file: none is taken for what it is because it is alone.
  const beside = { path: "beside.bin", blob: new Blob([Uint8Array.of(1, 2, 3)]) };
  const set = await openFiles(droppedFiles([{ path: name, blob: new Blob([bytes]) }, beside]), opening);
  if (set.kind !== "set") throw new Error(set.title);
  return set.set;
}

function newHash() {
  const hash = createHash("sha256");
  return { update: (bytes: Uint8Array) => void hash.update(bytes), digest: () => hash.digest("hex") };
}

/** Text as Python's `json.dumps` writes it, floats with a point. */
const dumped = (values: unknown): string =>
  `[${(values as readonly unknown[])
    .map((value) => (Array.isArray(value) ? dumped(value) : JSON.stringify(value)))
    .join(", ")}]`;

async function hashOf(set: EngineSet, path: string): Promise<string | undefined> {
  const { digest } = await digestArray(set, arrayNode(set, path), { newHash, perChunk: false }, CONTEXT);
  return digest.sha256;
}

describe("generated files", () => {
  const files = generated as Readonly<Record<string, Readonly<Record<string, Truth>>>>;

  it.each(Object.entries(files))("%s has the values that h5py and netCDF4 give", async (name, arrays) => {
    const set = await opened(name, "generated");
    for (const [path, { shape, sha256 }] of Object.entries(arrays)) {
      expect([path, arrayNode(set, path).metadata.shape]).toEqual([path, shape]);
      expect([path, await hashOf(set, path)]).toEqual([path, sha256]);
    }
  });
});

describe("files of other people's suites", () => {
  const files = truth as unknown as Readonly<Record<string, Readonly<Record<string, Truth>>>>;

  it.each(Object.entries(files))("%s has the values that its own library gives", async (name, arrays) => {
    const set = await opened(name);
    for (const [path, { shape, sha256, dims }] of Object.entries(arrays)) {
      const { metadata } = arrayNode(set, path);
      expect([path, metadata.shape]).toEqual([path, shape]);
      if (dims !== undefined) expect(metadata.dimensionNames).toEqual(dims);
      if (sha256 !== undefined) expect(await hashOf(set, path)).toBe(sha256);
    }
    // Nothing is said of JSON, since the file has none.
    expect(set.findings.filter(({ code }) => code.startsWith("json-"))).toEqual([]);
  });

  it("have texts, lists of compounds and references as objects", async () => {
    const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
    const texts = await opened("texts-2d.h5");
    expect(await hashOf(texts, "x")).toBe(sha256(dumped(files["texts-2d.h5"]?.["x"]?.values)));
    const references = await opened("object-references.h5");
    expect(await hashOf(references, "r")).toBe(sha256('["/g/d", "/g"]'));
    const lists = await opened("lists-of-compounds.h5");
    expect(await hashOf(lists, "x")).toBe(sha256("[[[1, 2.0]], [[3, 4.0], [5, 6.0]]]"));
  });

  it("say what HDF5 refuses, and what no reader of references can do", async () => {
    const codes = async (name: string) => (await opened(name)).findings.map(({ code }) => code);
    expect(await codes("open-for-write.h5")).toEqual(["hdf5-open-for-write"]);
    expect(await codes("so_shuffle.h5")).toContain("hdf5-shuffle-rest");
    expect(await codes("links.h5")).toEqual([]);
  });
});

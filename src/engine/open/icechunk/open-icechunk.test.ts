/** Icechunk repositories through the whole engine, against what the official library read of them. */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { chunkAt, RefscopeError, targetAt } from "#core/findings/finding.ts";
import { type Locations, NO_LOCATIONS } from "#core/byte-source.ts";
import { corpus, entriesHere, recordedIn } from "#core/testing/corpus.ts";
import { fixtureFiles, folderFiles, hasShared, SHARED } from "#formats/icechunk/testing/objects.ts";
import recorded from "#formats/icechunk/fixtures/expected.json" with { type: "json" };
import { droppedFiles, type LocalFiles } from "#io/local-files.ts";
import { chunkReference } from "#engine/chunk/chunk-reference.ts";
import { arrayNode, type EngineSet } from "#engine/engine-set.ts";
import { loadChunk } from "#engine/chunk/load-chunk.ts";
import type { OpenOptions } from "../driver.ts";
import type { Network } from "#engine/chunk/sources.ts";
import { openAny, openFiles } from "../open-any.ts";
import { overviewOf } from "#engine/describe/overview.ts";
import { readChunk } from "#engine/chunk/read-chunk.ts";
import { summaryOf } from "#engine/describe/summary.ts";
import { CORPUS_REPOSITORIES } from "#engine/repository/testing/corpus-repositories.ts";

const CONTEXT = { signal: new AbortController().signal, report: () => undefined };
const OFFLINE = { http: { fetch: () => Promise.reject(new Error("There is no network here.")), attempts: 1 } };
const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

const filesOf = (files: ReadonlyMap<string, Uint8Array>): LocalFiles =>
  droppedFiles([...files].map(([path, bytes]) => ({ path, blob: new Blob([bytes.slice()]) })));

async function open(files: LocalFiles, options: OpenOptions = {}, locations: Locations = NO_LOCATIONS) {
  const opened = await openFiles(files, { locations, network: OFFLINE, options, context: CONTEXT });
  if (opened.kind !== "set") throw new Error(opened.title);
  return opened.set;
}

async function chunkBytes(set: EngineSet, path: string, at: readonly number[]) {
  const chunk = await chunkReference(set, arrayNode(set, path), at, CONTEXT);
  return { reference: chunk.reference, loaded: await loadChunk(set, chunk, CONTEXT) };
}

interface Entry {
  readonly at: readonly number[];
  readonly kind: string;
  readonly chunk?: string;
  readonly location?: string;
  readonly offset?: number | string;
  readonly length: number | string;
  readonly sha256?: string;
}

interface RecordedNode {
  readonly path: string;
  readonly kind: string;
  readonly references?: {
    readonly count: number;
    readonly entries?: readonly Entry[];
    readonly first?: readonly Entry[];
  };
}

interface RecordedRepository {
  readonly branches: Readonly<Record<string, string>>;
  readonly tags: Readonly<Record<string, string>>;
  readonly snapshots: Readonly<Record<string, { readonly nodes: readonly RecordedNode[] }>>;
}

/**
 * Every reference of every recorded node, and its bytes where these were recorded. Returns how many hashes were
 * compared.
 */
async function compareNodes(set: EngineSet, nodes: readonly RecordedNode[], hasTargets: boolean): Promise<number> {
  let compared = 0;
  expect([...set.hierarchy.nodes.keys()].toSorted()).toEqual(nodes.map(({ path }) => path.slice(1)).toSorted());
  for (const { path, kind, references } of nodes) {
    expect(set.hierarchy.nodes.get(path.slice(1))?.kind).toBe(kind);
    for (const entry of references?.entries ?? references?.first ?? []) {
      const { reference, loaded } = await chunkBytes(set, path.slice(1), entry.at);
      expectSame(reference, entry);
      if (reference.kind === "bad" || entry.sha256 === undefined || (entry.kind === "virtual" && !hasTargets)) continue;
      compared += 1;
      expect(loaded.kind === "bytes" ? sha256(loaded.bytes) : loaded).toBe(entry.sha256);
    }
  }
  return compared;
}

function expectSame(reference: Awaited<ReturnType<typeof chunkBytes>>["reference"], entry: Entry): void {
  const { offset, length, location = "" } = entry;
  if (entry.kind === "inline") expect(reference).toMatchObject({ kind: "inline", bytes: { length } });
  else if (entry.kind === "native") {
    expect(reference).toEqual({ kind: "native", key: `chunks/${entry.chunk}`, range: { offset, length } });
  } else if (location.startsWith("vcc://") || typeof offset === "string" || typeof length === "string") {
    expect(reference.kind).toBe("bad");
  } else expect(reference).toEqual({ kind: "range", target: location, offset, length });
}

async function compareAll(files: LocalFiles, all: RecordedRepository, folder: string, locations?: Locations) {
  let compared = 0;
  const heads = [
    ...Object.entries(all.branches).map(([name, id]) => [`branch:${name}`, id] as const),
    ...Object.entries(all.tags).map(([name, id]) => [`tag:${name}`, id] as const),
  ];
  for (const [ref, id] of heads) {
    const set = await open(files, { ref, ...(folder === "" ? {} : { choice: `${folder}/` }) }, locations);
    expect(set.repository?.summary.shown.snapshot).toBe(id);
    compared += await compareNodes(set, all.snapshots[id]?.nodes ?? [], locations !== undefined);
  }
  return compared;
}

describe("repositories of both formats", () => {
  it.each(["v1", "v2", "v2dict"] as const)("%s: every head, every reference, the bytes at hand", async (name) => {
    const compared = await compareAll(filesOf(fixtureFiles(name)), recorded[name], "");
    expect(compared).toBeGreaterThan(name === "v2dict" ? 4 : 7);
  });

  it("are recognised as what they are, with the lines that open them in Python", async () => {
    const set = await open(filesOf(fixtureFiles("v2")), { ref: "main" });
    const summary = summaryOf(set, 1);
    expect(summary).toMatchObject({
      format: "Icechunk, format 2",
      ref: "main",
      pages: { unit: "manifest", failed: 0 },
    });
    expect(summary.states).toMatchObject({ native: 3, inline: 3, virtual: 7, range: 0, bad: 1, missing: 1 });
    const { python } = await overviewOf(set, "", CONTEXT);
    expect(python).toContain('repo.readonly_session(branch="main")');
    const scalar = await readChunk(set, "scalar", [], CONTEXT);
    expect(scalar.reading).toMatchObject({ outcome: "ok", state: "inline" });
    expect(scalar.reading.written).toMatch(/^"base64:[A-Za-z\d+/=]+"$/);
  });

  it("fail with reasons: no such ref, a manifest that is damaged, one that is gone, an old layout", async () => {
    const files = fixtureFiles("v2");
    await expect(open(filesOf(files), { ref: "nowhere" })).rejects.toMatchObject({ code: "icechunk-ref-missing" });
    const manifests = [...files.keys()].filter((path) => path.startsWith("manifests/"));
    const cut = new Map(
      [...files].map(([path, bytes]) => [path, manifests.includes(path) ? bytes.slice(0, 60) : bytes]),
    );
    const damaged = await open(filesOf(cut));
    expect(damaged.findings).toContainEqual(
      expect.objectContaining({
        code: "icechunk-file-damaged",
        facts: expect.objectContaining({ file: "manifest" }) as unknown,
      }),
    );
    expect((await chunkBytes(damaged, "time", [0])).reference.kind).toBe("bad");
    const without = new Map([...files].filter(([path]) => !manifests.includes(path)));
    const gone = await open(filesOf(without));
    expect(gone.findings).toContainEqual(
      expect.objectContaining({
        code: "icechunk-object-missing",
        place: expect.objectContaining({
          target: expect.stringMatching(/^manifests\//) as unknown,
          chunk: expect.objectContaining({ kind: "chunk" }) as unknown,
        }) as unknown,
      }),
    );
    expect(gone.tally.states).toMatchObject({ missing: 0, native: 0 });
    await expect(open(filesOf(fixtureFiles("before1")))).rejects.toMatchObject({ code: "icechunk-too-old" });
  });

  it("say which containers the official reader leaves out", async () => {
    const container = "virtual_chunk_containers:\n  x:\n    name: null\n    url_prefix: gcs\n    store: !gcs {}\n";
    const files = new Map([...fixtureFiles("v1"), ["config.yaml", Buffer.from(container)]]);
    expect((await open(filesOf(files))).findings).toContainEqual(
      expect.objectContaining({
        code: "icechunk-container-ignored",
        facts: { problem: "prefix", prefix: "gcs/", name: undefined, store: "gcs" },
      }),
    );
  });

  it("say when a target has changed since, and when nothing was recorded", async () => {
    const files = new Map([...fixtureFiles("v2")].map(([path, bytes]) => [`r/${path}`, bytes]));
    const dropped = droppedFiles([
      ...[...files].map(([path, bytes]) => ({ path, blob: new Blob([bytes.slice()]) })),
      {
        path: "data.bin",
        blob: new File([new Uint8Array(880)], "data.bin", { lastModified: Date.UTC(2024, 4, 6, 7, 8, 9, 900) }),
      },
    ]);
    const rewrites = ["file:///data/refscope/external/", "http://127.0.0.1:39397/"].map((from) => ({
      from,
      to: "../",
    }));
    const set = await open(dropped, { choice: "r/" }, { ...NO_LOCATIONS, rewrites });
    const codes = async (at: readonly number[]) =>
      (await chunkBytes(set, "air/virt", at)).loaded.findings.map(({ code }) => code);
    expect(await codes([0, 0])).toEqual([]);
    expect(await codes([1, 1])).toEqual(["icechunk-target-changed"]);
    expect(await codes([0, 1])).toEqual(["icechunk-checksum-not-compared"]);
    expect(set.findings).toContainEqual(
      expect.objectContaining({ code: "icechunk-no-checksum", count: 2, place: chunkAt("air/virt", [0, 2]) }),
    );
  });
});

describe("over HTTP", () => {
  const serve = (files: ReadonlyMap<string, Uint8Array>) => {
    const asked: string[] = [];
    const fetch = (url: string): Promise<Response> => {
      const path = decodeURIComponent(new URL(url).pathname).slice("/repos/one/".length);
      asked.push(path);
      const bytes = files.get(path);
      return Promise.resolve(bytes === undefined ? new Response("", { status: 404 }) : new Response(bytes.slice()));
    };
    return { asked, network: { http: { fetch, attempts: 1 } } };
  };
  const url = "https://data.example/repos/one";
  const openUrl = (network: Network, options: OpenOptions = {}) =>
    openAny({ kind: "url", url }, { locations: NO_LOCATIONS, network, options, context: CONTEXT });

  it.each(["v1", "v2"] as const)("%s: manifests are fetched when they are looked at", async (name) => {
    const { asked, network } = serve(fixtureFiles(name));
    const opened = await openUrl(network);
    if (opened.kind !== "set") throw new Error(opened.title);
    expect(asked.filter((path) => path.startsWith("manifests/"))).toEqual([]);
    expect(opened.set.findings.some(({ code }) => code === "icechunk-refs-unlisted")).toBe(name === "v1");
    const { reading } = await readChunk(opened.set, "time", [0], CONTEXT);
    expect(reading).toMatchObject({ state: "inline", outcome: "ok" });
    expect(asked.filter((path) => path.startsWith("manifests/"))).toHaveLength(1);
    await opened.set.refresh(CONTEXT);
    expect(summaryOf(opened.set, 1).pages).toMatchObject({ loaded: 1 });
  });

  it("an address without any of it is not a repository", async () => {
    const { network } = serve(new Map());
    const opening = openUrl(network);
    await expect(opening).rejects.toMatchObject({ code: "http-status" });
  });

  /** A failure as browsers report it if the answer lets no other origin's page read it. */
  const refused = () => Promise.reject(new TypeError("Failed to fetch"));

  it.each(["v1", "v2"] as const)("%s opens where only objects that are there may be read by pages", async (name) => {
    const files = fixtureFiles(name);
    const { network } = serve(files);
    const isThere = (at: string) => files.has(new URL(at).pathname.slice("/repos/one/".length));
    const picky = (at: string, { mode }: RequestInit = {}) =>
      isThere(at) || mode === "no-cors" ? network.http.fetch(at) : refused();
    const pickyNetwork = { http: { fetch: picky, attempts: 1 } };
    const opened = await openUrl(pickyNetwork);
    expect(opened).toMatchObject({ kind: "set", set: { format: { label: `Icechunk, format ${name.slice(1)}` } } });
    if (opened.kind !== "set") throw new Error(opened.title);
    const doubted = opened.set.findings.filter(({ code }) => code === "icechunk-taken-as-absent");
    expect(doubted.map(({ place }) => place)).toEqual(name === "v1" ? [targetAt(`${url}/repo`)] : []);
  });

  it("is asked for first where the address or the ref says that it is one", async () => {
    const { asked, network } = serve(fixtureFiles("v2"));
    const opened = await openUrl(network, { ref: "tag:v1.0" });
    expect(opened.kind).toBe("set");
    expect(asked.map((path) => path.split("/")[0])).toEqual(["repo", "snapshots"]);
    const missing = openUrl(network, { ref: "tag:none" });
    await expect(missing).rejects.toMatchObject({ code: "icechunk-ref-missing" });
    expect(asked.slice(2)).toEqual(["repo"]);
  });

  it("is not taken for an empty store where nothing may be read", async () => {
    const network = { http: { fetch: refused, attempts: 1 } };
    const opening = openUrl(network);
    await expect(opening).rejects.toBeInstanceOf(RefscopeError);
  });
});

if (!hasShared) console.log(`Tests of shared repositories are skipped: there is no ${SHARED} (set REFSCOPE_SHARED).`);

interface Recording {
  readonly repositories: Readonly<Record<string, RecordedRepository>>;
}

describe.skipIf(!hasShared)("shared repositories", () => {
  it("are read as recorded, virtual chunks too", async () => {
    const all = folderFiles(`${SHARED}/fixtures/icechunk`);
    const { repositories } = JSON.parse(new TextDecoder().decode(all.get("expected.json"))) as Recording;
    const rewrites = ["file:///data/refscope/external/", "http://127.0.0.1:39397/"].map((from) => ({
      from,
      to: "../external/",
    }));
    let compared = 0;
    for (const [name, one] of Object.entries(repositories)) {
      compared += await compareAll(filesOf(all), one, name, { ...NO_LOCATIONS, rewrites });
    }
    expect(compared).toBeGreaterThan(40);
  });
});

interface CorpusKeys {
  readonly keys: Readonly<Record<string, string | { readonly sha256?: string; readonly error?: string }>>;
}

interface CorpusRepository {
  readonly branches: Readonly<Record<string, CorpusKeys>>;
}

const CORPUS = [...CORPUS_REPOSITORIES, ...entriesHere(["icechunk-http-vcc"])];

describe(corpus.title, () => {
  it.each(CORPUS)("%s", async (entry) => {
    const expected = recordedIn<CorpusRepository>(entry);
    const files = filesOf(folderFiles(`${corpus.folder}/${entry}`));
    const rewrites = ["http://127.0.0.1:8765/", "s3://example-bucket/rain/"].map((from) => ({ from, to: "../" }));
    for (const [path, { branches }] of Object.entries(expected["icechunk_read_with_earthmover_icechunk_2.2.2"] ?? {})) {
      for (const [branch, { keys }] of Object.entries(branches)) {
        const folder = path.slice(entry.length + 1);
        const options = { choice: `${folder}/`, ref: `branch:${branch}` };
        await compareKeys(await open(files, options, { ...NO_LOCATIONS, rewrites }), keys);
      }
    }
  });
});

async function compareKeys(set: EngineSet, keys: CorpusKeys["keys"]): Promise<void> {
  for (const [key, found] of Object.entries(keys)) {
    const [, path = "", name = ""] = /^(?:(.*)\/)?(zarr\.json|c(?:\/[\d/]+)?)$/.exec(key) ?? [];
    if (typeof found === "string") expect([key, set.hierarchy.nodes.get(path)?.kind]).toEqual([key, found]);
    else if (found.sha256 !== undefined) {
      const at = name.split("/").slice(1).map(Number);
      const { loaded } = await chunkBytes(set, path, at);
      expect([key, loaded.kind === "bytes" ? sha256(loaded.bytes).slice(0, 16) : loaded]).toEqual([key, found.sha256]);
    }
  }
}

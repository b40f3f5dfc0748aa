/**
 * `icechunk-library-limit`: what Icechunk's own library refuses that is read here, by edits tried with icechunk 2.2.2.
 */
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { finding, targetAt } from "#core/findings/finding.ts";
import { fetchSnapshot, findRef, openRepository, type Repository, type Snapshot } from "#formats/icechunk/index.ts";
import { folderFiles } from "#formats/icechunk/testing/objects.ts";
import type { Fetch } from "#io/http/http.ts";
import { droppedFiles } from "#io/local-files.ts";
import { filesStore } from "#io/store.ts";
import { inThread } from "../chunk/chunk-decoder.ts";
import { checkSet } from "../check/check-set.ts";
import { readerVerdicts } from "../check/readers/reader-verdicts.ts";
import { CONTEXT } from "../fixtures/plain-table.ts";
import { openAny, openFiles } from "../open/open-any.ts";
import { libraryLimits } from "./library-limits.ts";
import { icechunkObjects, icechunkZstd } from "./objects.ts";
import { type Files, LIBRARY_EDITS, type Step, validFiles } from "./testing/library-edits.ts";

const SAMPLE = folderFiles(resolve(import.meta.dirname, "../../../public/samples/ocean.icechunk"));
const filesOf = (files: ReadonlyMap<string, Uint8Array>) =>
  droppedFiles([...files].map(([path, bytes]) => ({ path, blob: new Blob([bytes.slice()]) })));

async function verdictOn(files: ReadonlyMap<string, Uint8Array>) {
  const options = { locations: NO_LOCATIONS, network: {}, options: {}, context: CONTEXT };
  const opened = await openFiles(filesOf(files), options);
  if (opened.kind === "choose") throw new Error(opened.title);
  return verdictOf(opened.set);
}

async function verdictOf(set: Parameters<typeof readerVerdicts>[0]) {
  const all = await readerVerdicts(set, set.findings, CONTEXT);
  return all.find(({ reader }) => reader.id === "icechunk") ?? expect.fail("no verdict");
}

/** The file with other bytes in its header. */
const edited = (path: string, change: (bytes: Uint8Array) => Uint8Array): ReadonlyMap<string, Uint8Array> =>
  new Map([...SAMPLE].map(([name, bytes]) => [name, name.startsWith(path) ? change(Uint8Array.from(bytes)) : bytes]));

const withByte = (at: number, value: number) => (bytes: Uint8Array) => bytes.fill(value, at, at + 1);

async function uncompressed(path: string): Promise<ReadonlyMap<string, Uint8Array>> {
  const zstd = icechunkZstd(CONTEXT.signal);
  const files = new Map(SAMPLE);
  for (const [name, bytes] of SAMPLE) {
    if (!name.startsWith(path)) continue;
    const body = await zstd.decompress(bytes.subarray(39), { limit: 1 << 24 });
    files.set(name, new Uint8Array([...bytes.subarray(0, 38), 0, ...body]));
  }
  return files;
}

it("a repository as the library writes it is read", async () => {
  expect(await verdictOn(SAMPLE)).toMatchObject({ answer: "yes" });
});

it.each(["repo", "snapshots/"])("uncompressed, %s is refused, and with it everything", async (path) => {
  expect(await verdictOn(await uncompressed(path))).toMatchObject({
    answer: "no",
    effects: [{ rule: "icechunk-refused" }],
  });
});

it("uncompressed manifests, longer than the snapshot says as they are, lose their arrays", async () => {
  expect(["no", "partly"]).toContain((await verdictOn(await uncompressed("manifests/"))).answer);
});

it("bytes behind a manifest lose its arrays, behind a snapshot nothing", async () => {
  const skippable = [0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0];
  const longer = (bytes: Uint8Array) => new Uint8Array([...bytes, ...skippable]);
  expect(["no", "partly"]).toContain((await verdictOn(edited("manifests/", longer))).answer);
  expect((await verdictOn(edited("snapshots/", longer))).answer).toBe("yes");
});

it("version 1 in the header of repo is refused, in that of a snapshot's manifests not", async () => {
  expect((await verdictOn(edited("repo", withByte(36, 1)))).answer).toBe("no");
  expect((await verdictOn(edited("manifests/", withByte(36, 1)))).answer).toBe("yes");
});

async function parts(): Promise<readonly [Repository, Snapshot, Parameters<typeof libraryLimits>[2]]> {
  const objects = icechunkObjects(filesStore(filesOf(SAMPLE), ""), CONTEXT);
  const zstd = icechunkZstd(CONTEXT.signal);
  const repository = await openRepository(objects, zstd);
  const snapshot = await fetchSnapshot(objects, zstd, (await findRef(objects, repository)).snapshot);
  const options = { locations: NO_LOCATIONS, network: {}, options: {}, context: CONTEXT };
  const opened = await openFiles(filesOf(SAMPLE), options);
  return [repository, snapshot, opened.kind === "set" ? opened.set.hierarchy : expect.fail()];
}

it("what is searched must be sorted, listed and counted", async () => {
  const [repository, snapshot, hierarchy] = await parts();
  const info = repository.info ?? expect.fail("no repo");
  const problems = (one: Partial<typeof info>, other: Partial<Snapshot> = {}) => {
    const found = libraryLimits({ ...repository, info: { ...info, ...one } }, { ...snapshot, ...other }, hierarchy);
    return [...new Set(found.map(({ facts }) => facts["problem"]))];
  };
  const { nodes } = snapshot;
  expect(problems({})).toEqual([]);
  const branches = new Map(["main", "é", "z"].map((name) => [name, snapshot.id]));
  expect(problems({ branches })).toEqual(["branches-unordered"]);
  expect(problems({ branches: new Map(["main", "z", "é"].map((name) => [name, snapshot.id])) })).toEqual([]);
  expect(problems({ snapshots: new Map([...info.snapshots].toReversed()) })).toEqual(["snapshots-unordered"]);
  expect(problems({ version: 1 })).toEqual(["version"]);
  expect(problems({}, { nodes: nodes.toReversed() })).toEqual(["nodes-unordered"]);
  expect(problems({}, { manifestSizes: new Map() })).toEqual(["manifest-unlisted"]);
  const less = nodes.map((node) =>
    node.kind === "array" ? { ...node, shape: node.shape.map((one) => ({ ...one, chunks: 0 })) } : node,
  );
  expect(problems({}, { nodes: less })).toEqual(["chunks-uncounted"]);
  const more = nodes.map((node) =>
    node.kind === "array" ? { ...node, shape: node.shape.map((one) => ({ ...one, chunks: 9999 })) } : node,
  );
  expect(problems({}, { nodes: more })).toEqual([]);
});

it.each(["icechunk-manifest-unordered", "icechunk-outside-extents"] as const)(
  "%s: chunks that are there read as missing",
  async (code) => {
    const options = { locations: NO_LOCATIONS, network: {}, options: {}, context: CONTEXT };
    const opened = await openFiles(filesOf(SAMPLE), options);
    const set = opened.kind === "set" ? opened.set : expect.fail();
    const [manifest] = [...SAMPLE.keys()].filter((name) => name.startsWith("manifests/"));
    const seen = finding(code, targetAt(manifest ?? ""), {}, 2);
    const all = await readerVerdicts(set, [...set.findings, seen], CONTEXT);
    expect(all.find(({ reader }) => reader.id === "icechunk")).toMatchObject({
      answer: "partly",
      effects: [{ rule: "icechunk-misread", effect: "wrong" }, { rule: "icechunk-icechunk" }],
    });
  },
);

it.each([
  ["404", 404, "", "yes"],
  ["403", 403, "", "no"],
  ["a page", 200, "<!DOCTYPE html><html><body>Home</body></html>", "no"],
])("a server that answers %s for what it does not have", async (_, status, body, answer) => {
  const fetch: Fetch = (url) => {
    const bytes = SAMPLE.get(new URL(url).pathname.slice(1));
    return Promise.resolve(bytes === undefined ? new Response(body, { status }) : new Response(bytes.slice()));
  };
  const source = { kind: "url", url: "https://data.example/" } as const;
  const network = { http: { fetch } };
  const opened = await openAny(source, { locations: NO_LOCATIONS, network, options: {}, context: CONTEXT });
  expect((await verdictOf(opened.kind === "set" ? opened.set : expect.fail())).answer).toBe(answer);
});

/** Answer for Icechunk's library and the codes of what was found; "unopened" where it is not opened here either. */
async function checked(files: Files): Promise<readonly [answer: string, codes: readonly string[]]> {
  const options = { locations: NO_LOCATIONS, network: {}, options: {}, context: CONTEXT };
  const opened = await openFiles(filesOf(files), options).catch(() => undefined);
  if (opened === undefined) return ["unopened", []];
  const set = opened.kind === "set" ? opened.set : expect.fail();
  const reader = { reader: "icechunk", sample: { chunks: 0, openZarrita: () => expect.fail() } };
  const request = { decoder: inThread, atHand: true, sources: { limit: 10, isHere: true }, reader } as const;
  const { findings, readers = [] } = await checkSet(set, request, CONTEXT);
  const about = findings.filter((one) => !one.code.startsWith("reader-") && one.code !== "icechunk-no-checksum");
  return [readers[0]?.answer ?? "", about.map(({ code, facts }) => (facts["problem"] as string | undefined) ?? code)];
}

/** Steps without which a repository is not read. */
const READING: ReadonlySet<Step> = new Set<Step>(["open", "list", "read", "lost"]);
/** Edits that may go wrong unseen where the library is lucky in its search, and those that are refused here alone. */
const STRICTER: ReadonlySet<string> = new Set([
  "two references of one chunk",
  "a reference outside the grid, last",
  "a reference outside the grid, first",
  "a node twice",
  "branches exchanged",
  "parent_offset out of range",
  "manifest: array twice",
  "an update of an unknown kind",
]);

it.each(LIBRARY_EDITS.map((one) => [one.name, one] as const))("edited: %s", async (name, { edit, steps, isSaid }) => {
  const files = validFiles();
  edit(files);
  const [answer, found] = await checked(files);
  const isRead = isSaid === true || !steps.some((step) => READING.has(step));
  if (STRICTER.has(name)) expect(answer).not.toBe("yes");
  else if (isRead) expect(answer).toBe("yes");
  else expect(["partly", "no", "unopened"]).toContain(answer);
  if (answer === "partly" || answer === "no") expect(found).not.toEqual([]);
});

it.each([
  ["shape_v2 absent", "shape-absent"],
  ["latest_updates empty", "updates-broken"],
  ["latest_updates oldest first", "updates-broken"],
  ["tags not sorted", "tags-unordered"],
  ["snapshots exchanged", "snapshots-unordered"],
  ["native file long", "native-object-long"],
])("%s: noted, and read", async (name, problem) => {
  const files = validFiles();
  LIBRARY_EDITS.find((one) => one.name === name)?.edit(files);
  expect(await checked(files)).toEqual(["yes", [problem]]);
});

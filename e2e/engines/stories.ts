/** The short stories that every engine must tell: written once, for any of them. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { isDeep } from "../../src/core/testing/runs.ts";
import { SAMPLES, truthOf } from "../support/truth.ts";
import { startRangeServer, type RangeServer } from "../support/range-server.ts";
import type { Target, User } from "./user.ts";

/** What the stories need besides the page. */
export interface StoryContext {
  readonly user: User;
  /** A server of another origin. */
  readonly server: RangeServer;
}

export type Story = (given: StoryContext) => Promise<void>;

const CHUNK: Target = { role: "region", name: "Chunk" };
const REQUEST: Target = { role: "tab", name: "Request", in: CHUNK };
const VALUES: Target = { role: "tab", name: "Values", in: CHUNK };
const STATISTICS: Target = { role: "region", name: "Statistics", in: CHUNK };
const MANIFEST: Target = { role: "grid", name: "Manifest" };
const RESULT: Target = { role: "grid", name: "Version 0" };
const HISTORY: Target = { role: "region", name: "History" };

const button = (name: string, within?: Target): Target => ({ role: "button", name, ...(within && { in: within }) });
const node = (name: string): Target => ({ role: "treeitem", name, in: { role: "tree", name: "Hierarchy" } });
const tab = (name: string): Target => ({ role: "tab", name, in: { role: "tablist", name: "Views" } });

async function goToChunk({ user }: StoryContext, key: string): Promise<void> {
  await user.click(tab("Chunks"));
  await user.click({ role: "textbox", name: "Key or place" });
  await user.press("Control", "a");
  await user.page.type(key);
  await user.press("Enter");
}

/** What is shown of a chunk of the sample is what Python reads. */
async function expectTruth(
  { user }: StoryContext,
  array: string,
  name: string,
  values: "cf" | "raw" = "raw",
): Promise<void> {
  const truth = truthOf(array, name);
  await user.see({ ...CHUNK, text: `${array} / ${name}` });
  // Python's figures are of the values as they are stored.
  if (values === "cf") await user.click({ role: "radio", name: "Raw", in: CHUNK });
  const { terms } = await user.see(STATISTICS);
  const shown = (term: string) => Number(terms[term]?.replaceAll(",", "").replace("−", "-"));
  assert.deepEqual([shown("Minimum"), shown("Maximum"), shown("Count")], [truth.min, truth.max, truth.count]);
}

async function openSample(given: StoryContext): Promise<void> {
  const { user } = given;
  await user.open();
  await user.click(button("Ocean sample"));
  for (const [array, name] of [
    ["sst", "2.0.1"],
    ["ice", "0.0.0"],
  ] as const) {
    await user.click(node(array));
    await goToChunk(given, `${array}/${name}`);
    await expectTruth(given, array, name, array === "sst" ? "cf" : "raw");
  }
}

async function editWithLiveResult({ user }: StoryContext): Promise<void> {
  const rows = (count: number) =>
    user.see(RESULT, ({ attributes }) => attributes["aria-rowcount"] === String(count + 1));
  const readers: Target = { role: "region", name: "Version 0 result" };
  await user.open();
  await user.click(button("The specification's example"));
  await rows(9);
  await user.see(readers, ({ text }) => text.includes("JavaScript readers: the same"));
  await user.see({ role: "textbox", name: "Reference document" });
  await user.click({ role: "region", name: "Document", at: '"stop"' });
  await user.press("End");
  await user.press("ArrowLeft");
  await user.press("ArrowLeft");
  await user.press("Backspace");
  await user.page.type("7");
  await rows(11);
  await user.see({ role: "row", text: "gen_key6", in: RESULT });
  // What was typed, and what was deleted before.
  for (let step = 0; step < 2; step += 1) await user.click(button("Undo", { role: "region", name: "Document" }));
  await rows(9);
}

async function readHistory({ user }: StoryContext): Promise<void> {
  await user.open();
  await user.click(button("Ocean with a history"));
  await user.see({ role: "heading", text: "main, 6 commits", in: HISTORY });
  await user.click({ role: "row", text: "reprocess February", in: { role: "grid", name: "Snapshots" } });
  await user.see({ role: "heading", text: "reprocess February", in: HISTORY });
  await user.click({ role: "button", text: "Changes", in: { role: "region", name: "Commit" } });
  await user.click(button("List chunks of sst", HISTORY));
  const list: Target = { role: "grid", name: "Changed chunks of sst" };
  await user.see(list, ({ attributes }) => attributes["aria-rowcount"] === "7");
  await user.see({ role: "row", text: "4.0.1", in: list });
}

async function readShard({ user, server }: StoryContext): Promise<void> {
  await user.open(`#url=${encodeURIComponent(server.url("/end_plain"))}&chunk=3.2&view=chunks`);
  await user.click(REQUEST);
  await user.see(CHUNK, ({ text }) => text.includes('["c/1/1", 48, 24]'));
  await user.click(VALUES);
  assert.equal((await user.see(STATISTICS)).terms["Count"], "6");
  await user.click(tab("Chunks"));
  await user.see(MANIFEST, ({ attributes }) => attributes["aria-rowcount"] === "17");
}

/** Two gzip members, as appending to a file makes them: engines say in their own words where the first one ends. */
async function readCompressed(given: StoryContext): Promise<void> {
  const { user, server } = given;
  const document = readFileSync(join(SAMPLES, "ocean.v1.json"), "utf8").replaceAll(
    '"ocean-',
    `"${server.origin}/ocean-`,
  );
  const half = document.length >> 1;
  server.put("/refs.json.gz", Buffer.concat([gzipSync(document.slice(0, half)), gzipSync(document.slice(half))]));
  for (const name of ["ocean-a.nc", "ocean-b.nc"]) server.put(`/${name}`, readFileSync(join(SAMPLES, name)));
  await user.open(`#url=${encodeURIComponent(server.url("/refs.json.gz"))}&array=sst&chunk=5.0.0&values=raw`);
  await expectTruth(given, "sst", "5.0.0");
}

async function dropDocument(given: StoryContext): Promise<void> {
  const { user } = given;
  await user.open();
  await user.page.run(dropSamples, ["ocean.v1.json", "ocean-a.nc", "ocean-b.nc"]);
  await user.click(node("sst"));
  await goToChunk(given, "sst/5.0.0");
  await expectTruth(given, "sst", "5.0.0", "cf");
  await user.click(REQUEST);
  await user.see({ ...CHUNK, text: "ocean-b.nc" });
}

/** Runs in the page: files and the events of a drop, as far as a script can make them. */
async function dropSamples(names: readonly string[]): Promise<void> {
  const dataTransfer = new DataTransfer();
  for (const name of names) {
    const bytes = await (await fetch(`samples/${name}`)).blob();
    dataTransfer.items.add(new File([bytes], name));
  }
  for (const type of ["dragenter", "dragover", "drop"]) {
    document.body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
  }
}

async function pasteDocument({ user }: StoryContext): Promise<void> {
  await user.open();
  await user.click(button("Paste JSON"));
  await user.click({ role: "textbox", text: "", name: PASTE_FIELD });
  await user.page.type('{"version":1,"refs":{".zgroup":"{\\"zarr_format\\":2}","stray":"x"}}');
  await user.click(button("Open pasted JSON"));
  await user.see({ role: "tree", name: "Hierarchy" });
}

const PASTE_FIELD = "The text of a reference file. Outside fields, Ctrl+V opens what is on the clipboard at once.";

async function walkByKeyboard(given: StoryContext): Promise<void> {
  const { user } = given;
  await user.open("#url=samples/ocean.v1.json&values=raw");
  await user.press("Control", "k");
  await user.see({ role: "dialog", name: "Commands" });
  await user.page.type("sst");
  await user.press("Enter");
  await user.see(node("sst"), ({ attributes }) => attributes["aria-selected"] === "true");
  await user.tabTo('[role="tab"]');
  // Data, Chunks.
  await user.press("ArrowRight");
  if ((await user.see(tab("Chunks"))).attributes["aria-selected"] !== "true") await user.press("Enter");
  await user.see(tab("Chunks"), ({ attributes }) => attributes["aria-selected"] === "true");
  await user.tabTo('[role="gridcell"], [role="rowheader"], [role="grid"]');
  await user.press("ArrowDown");
  await user.press("Control", "Home");
  await user.press("Enter");
  await expectTruth(given, "sst", "0.0.0");
}

/** All chunks of a slice are read and drawn; one that fails is named, and leads to its reading. */
async function seeSlice({ user }: StoryContext): Promise<void> {
  const data: Target = { role: "application", name: "Data" };
  const counts = (read: string, failed: string) =>
    user.see(data, ({ attributes }) => attributes["data-read"] === read && attributes["data-failed"] === failed);
  await user.open("#url=samples/ocean.v1.json&array=sst&view=data");
  await counts("9", "0");
  await user.open("#url=samples/ocean-broken.json&array=sst&view=data");
  await counts("8", "1");
  await user.click(button("Why"));
  await user.see({ ...CHUNK, text: "sst / 0.0.1" });
}

const VERDICT: Target = { role: "region", name: "Verdict" };
const CHECK: Target = { role: "region", name: "Check" };
const PROBLEMS: Target = { role: "list", name: "Problems" };

const headline = (text: string): Target => ({ role: "heading", text, in: CHECK });
const cause = (code: string): Target => ({ role: "listitem", attributes: { "data-code": code }, in: PROBLEMS });

const SIX = [
  "key-outside-grid",
  "range-length-wrong",
  "range-of-other-array",
  "range-past-end",
  "ranges-overlap",
  "target-gone",
];

const PLAIN = { zarr_format: 2, order: "C", compressor: null, filters: null };

/** The verdict on opening, its six causes, and one of them ended by its repair. */
async function checkBroken({ user }: StoryContext): Promise<void> {
  await user.open("#url=samples/ocean-broken.json&view=check");
  await user.see(headline("Opens, but 4 chunks cannot be read and 1 is out of reach"));
  assert.equal((await user.see(VERDICT)).terms["Does it open?"]?.startsWith("Yes"), true);
  for (const code of SIX) await user.see(cause(code));
  const shifted = cause("ranges-overlap");
  // Unasked it is looked for within limits, time among them: a slow machine has to be asked.
  if ((await user.see(shifted)).text.includes("Find a fix")) await user.click(button("Find a fix", shifted));
  await user.click(button("Read 7 bytes earlier", shifted));
  await user.gone(shifted);
  await user.see(headline("Opens, but 3 chunks cannot be read and 1 is out of reach"));
  for (const code of SIX.filter((code) => code !== "ranges-overlap")) await user.see(cause(code));
}

/** A latitude that runs against its bounds, drawn with them on one axis. */
async function seeDisagreement({ user, server }: StoryContext): Promise<void> {
  const array = (name: string, values: readonly number[], shape: readonly number[], attributes: object) => ({
    [`${name}/.zarray`]: JSON.stringify({ ...PLAIN, shape, chunks: shape, dtype: "<f8", fill_value: null }),
    [`${name}/.zattrs`]: JSON.stringify({ _ARRAY_DIMENSIONS: ["lat", "bnds"].slice(0, shape.length), ...attributes }),
    [`${name}/${shape.map(() => 0).join(".")}`]: `base64:${Buffer.from(Float64Array.from(values).buffer).toString("base64")}`,
  });
  const places = [5, 15, 25, 35];
  const edges = places.flatMap((place) => [place - 5, place + 5]);
  const refs = {
    ".zgroup": '{"zarr_format": 2}',
    ...array("lat", places.toReversed(), [4], { units: "degrees_north", bounds: "lat_bnds" }),
    ...array("lat_bnds", edges, [4, 2], {}),
  };
  server.put("/stated.json", JSON.stringify({ version: 1, refs }));
  await user.open(`#url=${encodeURIComponent(server.url("/stated.json"))}&view=check`);
  const disagreement = cause("statements-disagree");
  await user.click(button("More", disagreement));
  const both =
    "Both statements on one axis. lat: 35°N, 25°N, 15°N, 5°N; its bounds lat_bnds: 0° – 10°N, 10°N – 20°N, 20°N – 30°N, 30°N – 40°N.";
  await user.see({ role: "img", name: both, in: disagreement });
}

/** Faults that a page is told least about: each engine fails in its own words, and Check tells the classes apart. */
async function tellServersApart({ user, server }: StoryContext): Promise<void> {
  const gone = await startRangeServer();
  await gone.stop();
  const data = Uint8Array.from({ length: 4000 }, (_, at) => at % 251);
  const misbehaviours: readonly (readonly [fault: string, code: string, target?: string])[] = [
    ["only-head", "unreachable-undecided"],
    ["gzip", "range-encoded"],
    ["lying-length", "range-mismatch"],
    ...(isDeep
      ? ([
          ["no-cors", "cors-missing"],
          ["", "host-unreachable", `${gone.origin}/gone.bin`],
        ] as const)
      : []),
  ];
  for (const [at, [fault, code, target = `fault-${at}.bin`]] of misbehaviours.entries()) {
    server.put(`/fault-${at}.bin`, data);
    server.misbehave(`/fault-${at}.bin`, fault);
    server.put(`/fault-${at}.json`, plainSet(target));
    await user.open(`#url=${encodeURIComponent(server.url(`/fault-${at}.json`))}&view=check`);
    await user.see(cause(code));
  }
}

function plainSet(target: string): string {
  const zarray = { ...PLAIN, shape: [64], chunks: [32], dtype: "|u1", fill_value: 0 };
  const refs = { "a/.zarray": JSON.stringify(zarray), "a/0": [target, 100, 32], "a/1": [target, 132, 32] };
  return JSON.stringify({ version: 1, refs });
}

/** Stories that try more in the deep run. */
export const DEEPER_STORIES: ReadonlyMap<string, Story> = new Map([
  ["what servers do wrong is told apart", tellServersApart],
]);

export const STORIES: ReadonlyMap<string, Story> = new Map([
  ...DEEPER_STORIES,
  ["the sample is opened and chunks are read", openSample],
  ["an edit of the specification's example, with its live Version 0", editWithLiveResult],
  ["the history of the sample repository, and what a snapshot changed", readHistory],
  ["a chunk in a shard of another origin", readShard],
  ["a compressed document of two gzip members", readCompressed],
  ["a document dropped with its targets", dropDocument],
  ["a pasted document", pasteDocument],
  ["a slice across chunks, and the one that fails in it", seeSlice],
  ["the broken sample is checked, and a repair ends its problem", checkBroken],
  ["a disagreement of two statements, drawn", seeDisagreement],
  ["by keyboard alone to the values of a chunk", walkByKeyboard],
]);

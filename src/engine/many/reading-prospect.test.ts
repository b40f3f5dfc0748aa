/** Predicted requests and bytes, against what readers really asked a server for. */
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import ReferenceStore from "@zarrita/storage/ref";
import * as zarr from "zarrita";
import { startRangeServer, type RangeServer } from "../../../e2e/support/range-server.ts";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import type { Plane } from "#core/plane/plane.ts";
import { createEngine } from "../engine.ts";
import { PRICED_SETS, pricedReads, type PricedSet } from "./testing/priced-sets.ts";

const context = { signal: new AbortController().signal, report: () => undefined };
const fixtures = join(import.meta.dirname, "fixtures");
const file = join(fixtures, "recorded-reads.json");

interface Trace {
  readonly requests: number;
  readonly bytes: number;
}

let server: RangeServer;
const engine = createEngine();
const opened = new Map<string, number>();

beforeAll(async () => {
  server = await startRangeServer();
  for (const { files } of PRICED_SETS) {
    for (const [path, content] of Object.entries(files)) {
      server.put(path, typeof content === "string" ? content.replaceAll("{{u}}", server.origin) : content);
    }
  }
  for (const { name, address } of PRICED_SETS) {
    const source = { kind: "url", url: server.url(address) } as const;
    const locations = { ...NO_LOCATIONS, allowPrivate: true };
    const answer = await engine.call("set.open", { source, locations }, context);
    if (answer.kind !== "set") throw new Error(`${name}: ${JSON.stringify(answer)}`);
    opened.set(name, answer.set.id);
  }
});
afterAll(() => server.stop());

const setOf = (name: string): PricedSet => {
  const found = PRICED_SETS.find((set) => set.name === name);
  if (found === undefined) throw new Error(name);
  return found;
};

type Logged = RangeServer["requests"];

/** Requests without those for metadata. */
function traced(requests: Logged = server.requests): Trace {
  const asked = requests.filter(({ path }) => !/\.json$|\/\.z\w+$/.test(path));
  return { requests: asked.length, bytes: asked.reduce((sum, { status, sent }) => sum + (status < 300 ? sent : 0), 0) };
}

const selected = ({ row, column, at }: Plane) => at.map((one, each) => (each === row || each === column ? null : one));

async function byZarrita({ address, kind, format }: PricedSet, { row, column, at }: Plane): Promise<Trace> {
  const store =
    kind === "store" ? new zarr.FetchStore(server.url(address)) : await ReferenceStore.fromUrl(server.url(address));
  const open = format === 2 ? zarr.open.v2 : zarr.open.v3;
  const array = await open(zarr.root(store).resolve("a"), { kind: "array" });
  server.reset();
  await zarr.get(array, selected({ row, column, at }) as never);
  return traced();
}

async function predicted(name: string, plane: Plane, reader: string): Promise<Trace> {
  const { readers } = await engine.call("plane.prospect", { set: opened.get(name) ?? -1, array: "a", plane }, context);
  const { requests = -1, bytes = -1 } = readers.find(({ rule }) => rule.reader === reader) ?? {};
  return { requests, bytes };
}

const reads = pricedReads();

it("what zarrita asks for is predicted to the byte, on a hundred reads", async () => {
  const traces: Record<string, Trace> = {};
  const predictions: Record<string, Trace> = {};
  for (const [at, { set, plane }] of reads.entries()) {
    traces[`${at} ${set}`] = await byZarrita(setOf(set), plane);
    predictions[`${at} ${set}`] = await predicted(set, plane, "zarrita");
  }
  expect(Object.keys(traces).length).toBeGreaterThanOrEqual(100);
  expect(predictions).toEqual(traces);
});

/** Recording of each read that the reader can make, by its number. */
interface Recording {
  readonly versions: Readonly<Record<string, string>>;
  readonly traces: Readonly<Record<string, Trace>>;
}

type Recordings = Readonly<Record<string, Recording>>;

const readRecordings = (): Recordings => JSON.parse(readFileSync(file, "utf8")) as Recordings;

/** zarr-python 2 reads Zarr v2 only. */
const canRead = (reader: string, { format }: PricedSet): boolean => reader !== "zarr-python 2" || format === 2;

async function record(reader: string, python: string): Promise<Recording> {
  const made = reads.flatMap(({ set, plane }, at) => {
    const { address, kind } = setOf(set);
    return canRead(reader, setOf(set)) ? [{ at, set, address, kind, select: selected(plane) }] : [];
  });
  const asked = join(tmpdir(), `refscope-reads-${process.pid}.json`);
  writeFileSync(asked, JSON.stringify(made));
  server.reset();
  const { stdout } = await promisify(execFile)(python, [join(fixtures, "record-reads.py"), server.origin, asked]);
  const marks = server.requests.flatMap(({ path }, at) => (path.startsWith("/mark/") ? [at] : []));
  const traces = made.map(({ at }, each) => {
    const next = marks[each + 1] ?? server.requests.length;
    return [at, traced(server.requests.slice((marks[each] ?? 0) + 1, next))] as const;
  });
  return { versions: JSON.parse(stdout.trim()) as Recording["versions"], traces: Object.fromEntries(traces) };
}

// Once for each: REFSCOPE_READER="zarr-python 3" REFSCOPE_PYTHON=/path/to/python npx vitest run reading-prospect
const { REFSCOPE_READER: reader, REFSCOPE_PYTHON: python } = process.env;
it.runIf(reader !== undefined && python !== undefined)("is recorded", async () => {
  const recording = await record(reader ?? "", python ?? "");
  writeFileSync(file, `${JSON.stringify({ ...readRecordings(), [reader ?? ""]: recording })}\n`);
});

it.each(Object.entries(readRecordings()))("what %s asked for is predicted to the byte", async (name, { traces }) => {
  const predictions: Record<string, Trace> = {};
  for (const at of Object.keys(traces)) {
    const { set = "", plane } = reads[Number(at)] ?? {};
    const rule = set === "sharded" && name === "zarr-python 3" ? "zarr-python 3.0 to 3.2" : name;
    if (plane !== undefined) predictions[at] = await predicted(set, plane, rule);
  }
  expect(predictions).toEqual(traces);
});

/**
 * `npm run bench -- --slice [--rounds 7 --latency 20 --codecs blosc]`: an array of 256 chunks of 1 MB, Kerchunk references into one file
 * on a server of this machine that waits before each answer. The engine reads it all, with Node's threads; in the same
 * rounds its requests are made without decoding, its chunks decoded without requests, and zarrita's `get` reads it over
 * its ReferenceStore. Ratios are those of a round, then the median.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import Blosc from "numcodecs/blosc";
import * as zarr from "zarrita";
import ReferenceStore from "@zarrita/storage/ref";
import { nodePool } from "../src/cli/decode-threads.ts";
import { parseArrayMetadataV2 } from "../src/core/metadata/parse-array-metadata.ts";
import { parseSelection } from "../src/core/plane/selection.ts";
import { NO_LOCATIONS, OWN_MERGE } from "../src/core/byte-source.ts";
import { readSelection } from "../src/engine/many/read-selection.ts";
import type { ThreadPool } from "../src/engine/many/thread-pool.ts";
import { arrayNode } from "../src/engine/engine-set.ts";
import { openAny } from "../src/engine/open/open-any.ts";
import { field, shuffled } from "./decode-cases.ts";

type Median = (numbers: readonly number[]) => number;
type Bytes = Uint8Array<ArrayBuffer>;

const SIDE = 512;
const CHUNK_BYTES = SIDE * SIDE * 4;
const ACROSS = 16;
const SHAPE = [ACROSS * SIDE, ACROSS * SIDE];
/** Before the first chunk, as files have headers. */
const HEADER = 4096;
const CONTEXT = { signal: new AbortController().signal, report: () => undefined };

interface SliceCase {
  readonly name: string;
  readonly compressor: object;
  readonly filters: readonly object[] | null;
  readonly encode: (chunk: Bytes) => Promise<Uint8Array>;
}

const BLOSC = { id: "blosc", cname: "lz4", clevel: 5, shuffle: 1, blocksize: 0 } as const;

export const CASES: readonly SliceCase[] = [
  {
    name: "zlib + shuffle",
    compressor: { id: "zlib", level: 4 },
    filters: [{ id: "shuffle", elementsize: 4 }],
    encode: (chunk) => Promise.resolve(deflateSync(shuffled(chunk), { level: 4 })),
  },
  {
    name: "blosc-lz4",
    compressor: BLOSC,
    filters: null,
    encode: async (chunk) => Blosc.fromConfig({ ...BLOSC, elementsize: 4 } as never).encode(chunk),
  },
];

export interface SliceSet {
  readonly zarray: string;
  readonly stored: readonly Bytes[];
  readonly ranges: readonly (readonly [offset: number, length: number])[];
}

/** Four chunks, again and again. */
export async function makeSet({ compressor, filters, encode }: SliceCase): Promise<SliceSet> {
  const bytes = field();
  const four: Bytes[] = [];
  for (let at = 0; at < 4; at += 1) {
    four.push(new Uint8Array(await encode(bytes.slice(at * CHUNK_BYTES, (at + 1) * CHUNK_BYTES))));
  }
  const stored = Array.from({ length: ACROSS * ACROSS }, (_, at) => four[(at * 7) % 4] ?? new Uint8Array(0));
  let offset = HEADER;
  const ranges = stored.map(({ length }) => {
    const range = [offset, length] as const;
    offset += length;
    return range;
  });
  const common = { zarr_format: 2, shape: SHAPE, chunks: [SIDE, SIDE], dtype: "<f4", fill_value: 0, order: "C" };
  return { zarray: JSON.stringify({ ...common, compressor, filters }), stored, ranges };
}

interface SliceServer {
  readonly url: string;
  /** Requests since the last time. */
  count(): Promise<number>;
  close(): void;
}

function serve({ stored }: SliceSet, latency: number): Promise<SliceServer> {
  const folder = mkdtempSync(join(tmpdir(), "refscope-slice-"));
  const file = join(folder, "data.bin");
  writeFileSync(file, Buffer.concat([new Uint8Array(HEADER), ...stored]));
  const script = new URL("slice-server.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, ["--import", "tsx", script, file, String(latency)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.stdout.once("data", (port) => {
      const address = `http://127.0.0.1:${String(port).trim()}`;
      resolve({
        url: `${address}/data.bin`,
        count: async () => Number(await (await fetch(`${address}/count`)).text()),
        close: () => {
          child.kill();
          rmSync(folder, { recursive: true });
        },
      });
    });
  });
}

export type Refs = Readonly<Record<string, string | readonly [string, number, number]>>;

export function referencesTo(url: string, { zarray, ranges }: SliceSet): Refs {
  const chunks = ranges.map(([offset, length], at) => {
    const key = `a/${Math.floor(at / ACROSS)}.${at % ACROSS}`;
    return [key, [url, offset, length] as const] as const;
  });
  return { ".zgroup": '{"zarr_format":2}', "a/.zarray": zarray, ...Object.fromEntries(chunks) };
}

/** What is timed: each gives the bytes that it read, where it reads the array. */
type Subject = () => Promise<Uint8Array | undefined>;

function engineSubject(refs: Refs, decoder: ThreadPool): Subject {
  const text = JSON.stringify({ version: 1, refs });
  return async () => {
    const locations = { ...NO_LOCATIONS, allowPrivate: true };
    const opening = { locations, network: {}, options: {}, context: CONTEXT };
    const opened = await openAny({ kind: "text", text, name: "refs.json" }, opening);
    if (opened.kind !== "set") throw new Error(opened.title);
    const node = arrayNode(opened.set, "a");
    const selection = parseSelection("", SHAPE);
    const { bytes, failed } = await readSelection({ set: opened.set, node, selection, decoder }, CONTEXT);
    if (failed.size > 0) throw new Error(`${failed.size} chunks failed`);
    return bytes;
  };
}

function zarritaSubject(refs: Refs): Subject {
  return async () => {
    const store = ReferenceStore.fromSpec({ version: 1, refs } as never);
    const array = await zarr.open.v2(zarr.root(store).resolve("a"), { kind: "array" });
    const { data } = await zarr.get(array);
    const { buffer, byteOffset, byteLength } = data as Float32Array;
    return new Uint8Array(buffer, byteOffset, byteLength);
  };
}

/** As many requests at once as a browser makes of a host. */
const AT_ONCE = 6;

function fetchingSubject(url: string, { ranges }: SliceSet): Subject {
  const blocks: { first: number; end: number }[] = [];
  for (const [offset, length] of ranges) {
    const last = blocks.at(-1);
    if (last !== undefined && offset + length - last.first <= OWN_MERGE.most) last.end = offset + length;
    else blocks.push({ first: offset, end: offset + length });
  }
  return async () => {
    await together(AT_ONCE, blocks, async ({ first, end }) => {
      const response = await fetch(url, { headers: { range: `bytes=${first}-${end - 1}` } });
      const { byteLength } = await response.arrayBuffer();
      if (byteLength !== end - first) throw new Error("another length");
    });
    return undefined;
  };
}

function decodingSubject({ zarray, stored }: SliceSet, pool: ThreadPool): Subject {
  const { metadata } = parseArrayMetadataV2(zarray);
  return async () => {
    await together(pool.atOnce, stored, async (chunk) => {
      const { bytes } = await pool.decode(metadata, chunk, CONTEXT.signal);
      if (bytes?.length !== CHUNK_BYTES) throw new Error("no bytes");
    });
    return undefined;
  };
}

async function together<Item>(atOnce: number, items: readonly Item[], work: (item: Item) => Promise<void>) {
  const left = items[Symbol.iterator]();
  const worker = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

const NAMES = ["engine", "fetching", "decoding", "zarrita"] as const;
type Name = (typeof NAMES)[number];
type Round = Readonly<Record<Name, Taken>>;

interface Taken {
  readonly milliseconds: number;
  /** Of all threads of this process. */
  readonly processor: number;
}

export async function benchSlice(words: readonly string[], median: Median): Promise<void> {
  const value = (name: string, otherwise: number) =>
    words.includes(`--${name}`) ? Number(words[words.indexOf(`--${name}`) + 1]) : otherwise;
  const [rounds, latency] = [value("rounds", 7), value("latency", 20)];
  const pool = nodePool(undefined, 0);
  const wanted = words.includes("--codecs") ? words[words.indexOf("--codecs") + 1] : "";
  for (const one of CASES.filter(({ name }) => name.includes(wanted ?? "")))
    await benchCase(one, { rounds, latency, pool, median });
  pool.close();
}

interface SliceBench {
  readonly rounds: number;
  readonly latency: number;
  readonly pool: ThreadPool;
  readonly median: Median;
}

async function benchCase(one: SliceCase, { rounds, latency, pool, median }: SliceBench): Promise<void> {
  const set = await makeSet(one);
  const server = await serve(set, latency);
  const refs = referencesTo(server.url, set);
  const subjects: Readonly<Record<Name, Subject>> = {
    engine: engineSubject(refs, pool),
    fetching: fetchingSubject(server.url, set),
    decoding: decodingSubject(set, pool),
    zarrita: zarritaSubject(refs),
  };
  const times: Round[] = [];
  const requests: Partial<Record<Name, number>> = {};
  const read = new Map<Name, Uint8Array>();
  // The first round starts the threads.
  for (let round = -1; round < rounds; round += 1) {
    const taken: Partial<Record<Name, Taken>> = {};
    for (const name of NAMES) {
      const [start, before] = [performance.now(), process.cpuUsage()];
      const bytes = await subjects[name]();
      const { user, system } = process.cpuUsage(before);
      taken[name] = { milliseconds: performance.now() - start, processor: (user + system) / 1000 };
      requests[name] = await server.count();
      if (round < 0 && bytes !== undefined) read.set(name, bytes);
    }
    if (round < 0) checkAgreement(read);
    else times.push(taken as Round);
    read.clear();
  }
  server.close();
  print(one, set, times, requests, median);
}

function checkAgreement(read: ReadonlyMap<Name, Uint8Array>): void {
  const [engine, zarrita] = [read.get("engine"), read.get("zarrita")];
  const isEqual = engine !== undefined && zarrita !== undefined && Buffer.from(engine).equals(zarrita);
  if (!isEqual) console.log("zarrita's values are others than ours");
}

function print(
  { name }: SliceCase,
  { stored }: SliceSet,
  times: readonly Round[],
  requests: Partial<Record<Name, number>>,
  median: Median,
): void {
  const total = stored.reduce((sum, { length }) => sum + length, 0);
  console.log(`\n${name}: ${stored.length} chunks, ${(total / 1e6).toFixed(0)} MB stored, ${times.length} rounds`);
  for (const one of NAMES) {
    const each = times.map((round) => round[one].milliseconds);
    const processor = median(times.map((round) => round[one].processor));
    const [middle, least, busy] = [median(each), Math.min(...each), processor].map((time) => time.toFixed(0));
    console.log(
      `${one.padStart(9)}: ${middle} ms (least ${least}), ${busy} ms of processor, ${requests[one] ?? 0} requests`,
    );
  }
  const ratio = (of: (round: Round) => number) => median(times.map(of)).toFixed(2);
  const longer = ({ fetching, decoding }: Round) => Math.max(fetching.milliseconds, decoding.milliseconds);
  console.log(
    `engine: ${ratio((round) => round.engine.milliseconds / longer(round))} × the longer of fetching and decoding`,
  );
  console.log(`zarrita: ${ratio((round) => round.zarrita.milliseconds / round.engine.milliseconds)} × engine`);
}

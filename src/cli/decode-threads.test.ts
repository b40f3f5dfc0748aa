/** Arrays hashed with threads of Node and without. */
import { withEqualChunks } from "../core/testing/equal-chunks.ts";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { deflateSync } from "node:zlib";
import { afterAll, expect, it } from "vitest";
import { NO_LOCATIONS } from "../core/byte-source.ts";
import { digestArray } from "../engine/digest/digest.ts";
import { arrayNode } from "../engine/engine-set.ts";
import { openFiles } from "../engine/open/open-any.ts";
import type { ChunkDecoder } from "../engine/chunk/chunk-decoder.ts";
import { droppedFiles } from "../io/local-files.ts";
import { nodePool } from "./decode-threads.ts";
import { startCommand } from "./testing/run-command.ts";

const CONTEXT = { signal: new AbortController().signal, report: () => undefined };
const SHAPE = [12, 200, 300];

const value = (z: number, y: number, x: number) => Math.sin(z + y / 30) * x;

function chunkAt(z: number, y: number, x: number, chunks: readonly number[]): Float32Array {
  const [depth, height, width] = chunks as [number, number, number];
  return Float32Array.from({ length: depth * height * width }, (_, at) => {
    const [dz, dy, dx] = [Math.floor(at / (height * width)), Math.floor(at / width) % height, at % width];
    return value(z * depth + dz, y * height + dy, x * width + dx);
  });
}

/** Chunk 3.0.0 is missing; chunk 1.0.0 is damaged where asked for. */
async function openStore(chunks: readonly number[], isDamaged: boolean) {
  const zarray = { zarr_format: 2, shape: SHAPE, chunks, dtype: "<f4", fill_value: 7, order: "C", filters: null };
  const files = [
    { path: "s.zarr/.zarray", blob: new Blob([JSON.stringify({ ...zarray, compressor: { id: "zlib" } })]) },
  ];
  const counts = SHAPE.map((length, at) => Math.ceil(length / chunks[at]!));
  for (let z = 0; z < counts[0]!; z++) {
    for (let y = 0; y < counts[1]!; y++) {
      for (let x = 0; x < counts[2]!; x++) {
        const bytes = deflateSync(new Uint8Array(chunkAt(z, y, x, chunks).buffer));
        const name = `${z}.${y}.${x}`;
        if (name === "1.0.0" && isDamaged) bytes[bytes.length >> 1]! ^= 255;
        if (name !== "3.0.0") files.push({ path: `s.zarr/${name}`, blob: new Blob([new Uint8Array(bytes)]) });
      }
    }
  }
  const opening = { locations: NO_LOCATIONS, network: {}, options: {}, context: CONTEXT };
  const opened = await openFiles(droppedFiles(files), opening);
  if (opened.kind !== "set") throw new Error(opened.title);
  return opened.set;
}

async function digest(chunks: readonly number[], isDamaged: boolean, decoder?: ChunkDecoder) {
  const set = await openStore(chunks, isDamaged);
  const newHash = () => {
    const hash = createHash("sha256");
    return { update: (bytes: Uint8Array) => void hash.update(bytes), digest: () => hash.digest("hex") };
  };
  const options = { newHash, perChunk: true, ...(decoder && { decoder }) };
  return (await digestArray(set, arrayNode(set, ""), options, CONTEXT)).digest;
}

const pool = nodePool(2, 0);
afterAll(() => {
  pool.close();
});

/** More than are decoded here while threads start. */
const CHUNKS = 150;

it("decodes in threads of the built program, too", async () => {
  const folder = mkdtempSync(join(tmpdir(), "refscope-threads-"));
  const zarray = { zarr_format: 2, shape: [CHUNKS, 800, 600], chunks: [1, 800, 600], dtype: "<f4", fill_value: 7 };
  writeFileSync(
    join(folder, ".zarray"),
    JSON.stringify({ ...zarray, order: "C", filters: null, compressor: { id: "zlib" } }),
  );
  const chunk = deflateSync(new Uint8Array(chunkAt(1, 0, 0, [1, 800, 600]).buffer));
  for (let z = 0; z < CHUNKS; z++) writeFileSync(join(folder, `${z}.0.0`), chunk);
  // Runs in every thread, before its entry: says of each chunk that a thread answered for.
  const hook = `import { isMainThread, parentPort } from "node:worker_threads";
    import { appendFileSync } from "node:fs";
    if (!isMainThread) {
      const post = parentPort.postMessage;
      parentPort.postMessage = function (...given) {
        appendFileSync(${JSON.stringify(join(folder, "answers"))}, Object.keys(given[0]).join(" ") + "\\n");
        return post.apply(this, given);
      };
    }`;
  writeFileSync(join(folder, "hook.mjs"), hook);
  const env = { NODE_OPTIONS: `--import ${pathToFileURL(join(folder, "hook.mjs")).href}` };
  const { status } = await startCommand(["digest", folder, "--threads", "2", "--json"], "", env);
  expect(status).toBe(0);
  const answers = readFileSync(join(folder, "answers"), "utf8").trim().split("\n");
  rmSync(folder, { recursive: true });
  // Each thread says that it is ready; the others are chunks.
  expect(answers.length).toBeGreaterThan(4);
});

it("decodes in a thread of its own", async () => {
  const metadata = withEqualChunks(arrayNode(await openStore([1, 200, 300], false), "").metadata);
  const stored = new Uint8Array(deflateSync(new Uint8Array(chunkAt(0, 0, 0, metadata.chunks).buffer)));
  // Only a thread's answer comes without values.
  const isFromThread = async () => (await pool.decode(metadata, stored, CONTEXT.signal)).values === undefined;
  await expect.poll(isFromThread, { timeout: 110_000 }).toBe(true);
});

it.each([
  { chunks: [1, 200, 300], isDamaged: false },
  { chunks: [5, 130, 170], isDamaged: false },
  { chunks: [1, 200, 300], isDamaged: true },
])("chunks of $chunks, damaged: $isDamaged", async ({ chunks, isDamaged }) => {
  const alone = await digest(chunks, isDamaged);
  const [first, second] = [await digest(chunks, isDamaged, pool), await digest(chunks, isDamaged, pool)];
  expect(first).toEqual(alone);
  expect(second).toEqual(alone);
  expect(Object.keys(alone.errors ?? {})).toEqual(isDamaged ? ["1.0.0"] : []);
});

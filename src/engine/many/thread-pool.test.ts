import { withEqualChunks } from "#core/testing/equal-chunks.ts";
import { deflateSync } from "node:zlib";
import { describe, expect, it, vi } from "vitest";
import { codecTraits } from "#codecs/find-codec.ts";
import { crc32c } from "#codecs/checksums/checksums.ts";
import { parseArrayMetadataV2 } from "#core/metadata/parse-array-metadata.ts";
import { parseArrayMetadataV3 } from "#core/metadata/parse-array-metadata-v3.ts";
import { WHOLE_SET } from "#core/findings/fact.ts";
import { inThread, type DecodedBytes } from "../chunk/chunk-decoder.ts";
import { type FromThread, type ToThread, serveDecoding } from "./serve-decoding.ts";
import { threadPool, type DecodeThread } from "./thread-pool.ts";

const { signal } = new AbortController();
const SIDE = 200;

function metadataOf(filters: readonly object[] | null, side = SIDE) {
  const common = { zarr_format: 2, dtype: "<f4", fill_value: 0, order: "C", compressor: { id: "zlib" } };
  return parseArrayMetadataV2(JSON.stringify({ ...common, shape: [side, side], chunks: [side, side], filters }))
    .metadata;
}

const values = (seed: number) => Float32Array.from({ length: SIDE * SIDE }, (_, at) => Math.sin(at * seed));
const bytesOf = (seed: number) => new Uint8Array(values(seed).buffer);
const stored = (seed: number) => new Uint8Array(deflateSync(bytesOf(seed)));

/** A thread in this thread: messages are cloned and transferred as between threads. */
function pretended(heard: ToThread[] = [], isDead: () => boolean = () => false): DecodeThread & { die(): void } {
  let answer: ((message: ToThread) => void) | undefined;
  let ended: () => void = () => undefined;
  return {
    post(message, transfer) {
      const arrived = structuredClone(message, { transfer });
      heard.push(arrived);
      if (!isDead()) answer?.(arrived);
    },
    listen(hear, end) {
      ended = end;
      answer = serveDecoding((message: FromThread, transfer) => {
        const arrived = structuredClone(message, { transfer });
        setTimeout(() => {
          if (!isDead()) hear(arrived);
        });
      });
    },
    end: () => undefined,
    die: () => {
      ended();
    },
  };
}

async function started(open: () => DecodeThread, threads = 1) {
  const pool = threadPool(open, { threads, startAfter: 0 });
  await pool.decode(metadataOf(null), stored(1), signal);
  // Threads are ready when they say so: on a busy machine that takes a while.
  await new Promise((resolve) => {
    setTimeout(resolve, 250);
  });
  return pool;
}

const plain = ({ bytes, error }: DecodedBytes) => ({ bytes: bytes && Buffer.from(bytes).toString("hex"), error });

describe("a pool of threads", () => {
  it("decodes as the engine's own thread does", async () => {
    const heard: ToThread[] = [];
    const pool = await started(() => pretended(heard), 2);
    const seeds = [1, 2, 3, 4, 5, 6, 7];
    const all = await Promise.all(seeds.map((seed) => pool.decode(metadataOf(null), stored(seed), signal)));
    for (const [at, { bytes }] of all.entries()) expect(Buffer.from(bytes!).equals(bytesOf(seeds[at]!))).toBe(true);
    expect(heard).toHaveLength(seeds.length);
  });

  it("gives the same errors", async () => {
    const heard: ToThread[] = [];
    const pool = await started(() => pretended(heard));
    const unknown = metadataOf([{ id: "no-such-codec", list: [1, { a: null }], big: 2 ** 60 }]);
    for (const metadata of [metadataOf(null), unknown]) {
      for (const input of [stored(1).subarray(0, 900), stored(2)]) {
        const here = plain(await inThread.decode(metadata, input, signal));
        expect(plain(await pool.decode(metadata, input, signal))).toEqual(here);
      }
    }
    expect(heard).toHaveLength(4);
  });

  it("leaves stored bytes as they are, and hands results over alone in their buffer", async () => {
    const heard: ToThread[] = [];
    const pool = await started(() => pretended(heard));
    const shape = [SIDE, SIDE];
    const { metadata } = parseArrayMetadataV3(
      JSON.stringify({
        zarr_format: 3,
        node_type: "array",
        shape,
        data_type: "float32",
        chunk_grid: { name: "regular", configuration: { chunk_shape: shape } },
        chunk_key_encoding: { name: "default" },
        fill_value: 0,
        codecs: [{ name: "bytes", configuration: { endian: "little" } }, { name: "crc32c" }],
      }),
      codecTraits,
    );
    const bytes = bytesOf(3);
    const among = new Uint8Array(bytes.length + 104);
    among.set(bytes, 100);
    new DataView(among.buffer).setUint32(100 + bytes.length, crc32c(bytes), true);
    const chunk = among.subarray(100);
    const { bytes: decoded } = await pool.decode(withEqualChunks(metadata), chunk, signal);
    expect(Buffer.from(decoded!).equals(bytes)).toBe(true);
    expect(decoded!.buffer.byteLength).toBe(bytes.length);
    expect(chunk).toHaveLength(bytes.length + 4);
    expect(heard.map((one) => one.stored.buffer.byteLength)).toEqual([chunk.length]);
  });

  it("says what array it is once, and sends small chunks nowhere", async () => {
    const heard: ToThread[] = [];
    const pool = await started(() => pretended(heard));
    const [one, other] = [metadataOf(null), metadataOf([{ id: "shuffle", elementsize: 4 }])];
    for (const metadata of [one, one, other, one]) await pool.decode(metadata, stored(1), signal);
    expect(heard.map(({ metadata }) => metadata !== undefined)).toEqual([true, false, true, true]);
    const small = await pool.decode(metadataOf(null, 2), new Uint8Array(deflateSync(new Uint8Array(16))), signal);
    expect(small.bytes).toEqual(new Uint8Array(16));
    expect(heard).toHaveLength(4);
  });

  it("does without a thread that dies, and loses nothing", async () => {
    let isDead = false;
    const threads: ReturnType<typeof pretended>[] = [];
    const pool = await started(() => {
      threads.push(pretended([], () => isDead));
      return threads.at(-1)!;
    }, 2);
    isDead = true;
    const waiting = Promise.all([1, 2, 3, 4, 5, 6].map((seed) => pool.decode(metadataOf(null), stored(seed), signal)));
    for (const thread of threads) thread.die();
    for (const [at, { bytes }] of (await waiting).entries()) {
      expect(Buffer.from(bytes!).equals(bytesOf(at + 1))).toBe(true);
    }
    const { bytes } = await pool.decode(metadataOf(null), stored(9), signal);
    expect(Buffer.from(bytes!).equals(bytesOf(9))).toBe(true);
  });

  it("hands over what is given away without a copy, and asks for it again where a thread died with it", async () => {
    const [heard, threads]: [ToThread[], ReturnType<typeof pretended>[]] = [[], []];
    let isDead = false;
    const pool = await started(() => {
      threads.push(pretended(heard, () => isDead));
      return threads.at(-1)!;
    });
    const [alone, among] = [stored(1), stored(2)];
    const shared = new Uint8Array(among.length + 8);
    shared.set(among, 8);
    let again = 0;
    const giving = (seed: number) => ({
      again: () => {
        again += 1;
        return Promise.resolve(stored(seed));
      },
    });
    const first = await pool.decode(metadataOf(null), alone, signal, giving(1));
    expect([alone.length, Buffer.from(first.bytes!).equals(bytesOf(1))]).toEqual([0, true]);
    const second = await pool.decode(metadataOf(null), shared.subarray(8), signal, giving(2));
    expect([shared.length, Buffer.from(second.bytes!).equals(bytesOf(2))]).toEqual([among.length + 8, true]);
    expect([again, heard.length]).toEqual([0, 2]);
    isDead = true;
    const waiting = Promise.all(
      [3, 4, 5].map((seed) => pool.decode(metadataOf(null), stored(seed), signal, giving(seed))),
    );
    for (const thread of threads) thread.die();
    for (const [at, { bytes }] of (await waiting).entries()) {
      expect(Buffer.from(bytes!).equals(bytesOf(at + 3))).toBe(true);
    }
    // Two had been handed over.
    expect(again).toBe(2);
  });

  it("ends when asked to; chunks under way are decoded all the same", async () => {
    const pool = await started(() => pretended([], () => false));
    const waiting = [1, 2, 3, 4].map((seed) => pool.decode(metadataOf(null), stored(seed), signal));
    pool.close();
    const all = await Promise.all([...waiting, pool.decode(metadataOf(null), stored(5), signal)]);
    for (const [at, { bytes }] of all.entries()) expect(Buffer.from(bytes!).equals(bytesOf(at + 1))).toBe(true);
  });

  it("stops the task that is cancelled", async () => {
    const pool = await started(() => pretended());
    const controller = new AbortController();
    const waiting = [1, 2, 3, 4].map((seed) => pool.decode(metadataOf(null), stored(seed), controller.signal));
    controller.abort();
    const outcomes = await Promise.allSettled(waiting);
    expect(outcomes.map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => "rejected"));
    expect((outcomes[0] as PromiseRejectedResult).reason).toBe(controller.signal.reason);
  });

  it("ends the thread of a large chunk that is cancelled, and goes on in another", async () => {
    const heard: ToThread[] = [];
    const [opened, ended] = [[] as number[], [] as number[]];
    const open = (): DecodeThread => {
      const number = opened.push(opened.length) - 1;
      const thread = pretended(heard);
      // The first never comes to an end with what it is given.
      const post: DecodeThread["post"] = (...given) =>
        number === 0 ? void heard.push(given[0]) : thread.post(...given);
      return { ...thread, post, end: () => void ended.push(number) };
    };
    const pool = threadPool(open, { threads: 2, startAfter: 1e9, apart: SIDE * SIDE * 4 });
    const controller = new AbortController();
    const about = { place: WHOLE_SET, inside: [SIDE, SIDE], scaling: undefined };
    const cancelled = pool.decodeAndReport(metadataOf(null), stored(1), about, controller.signal);
    const beside = pool.decode(metadataOf(null), stored(2), signal);
    await vi.waitFor(() => expect(heard).toHaveLength(2));
    controller.abort();
    await expect(cancelled).rejects.toBe(controller.signal.reason);
    expect(ended).toEqual([0]);
    expect(Buffer.from((await beside).bytes!).equals(bytesOf(2))).toBe(true);
    const reported = await pool.decodeAndReport(metadataOf(null), stored(3), about, signal);
    const here = await inThread.decodeAndReport(metadataOf(null), stored(3), about, signal);
    const timeless = ({ stages, ...rest }: typeof here) => ({
      ...rest,
      stages: stages.map((stage) => ({ ...stage, milliseconds: 0 })),
    });
    expect(timeless(reported)).toEqual(timeless(here));
    expect(opened).toHaveLength(3);
  });

  it("decodes a large chunk here where no thread can be had", async () => {
    const none = () => {
      throw new Error("no threads");
    };
    const pool = threadPool(none, { threads: 2, apart: 1 });
    const { bytes } = await pool.decode(metadataOf(null), stored(4), signal);
    expect(Buffer.from(bytes!).equals(bytesOf(4))).toBe(true);
  });

  it("starts no thread before there is enough to do, nor where none are wanted", async () => {
    let opened = 0;
    const open = () => {
      opened += 1;
      return pretended();
    };
    const pool = threadPool(open, { threads: 2, startAfter: 1e9 });
    const none = threadPool(open, { threads: 0, startAfter: 0 });
    for (const one of [pool, none]) await one.decode(metadataOf(null), stored(1), signal);
    expect(opened).toBe(0);
  });
});

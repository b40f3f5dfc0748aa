/**
 * Streams with and without what only some engines have: WebKit knows no byte streams, BYOB readers or async iteration.
 */
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { startRangeServer } from "../../e2e/support/range-server.ts";
import type { ByteStream, CallContext } from "../core/byte-source.ts";
import { readKerchunkJson } from "../formats/kerchunk-json/index.ts";
import { opened, piecesOf, relay, streamOf } from "./byte-stream.ts";
import { decompressed } from "./decompress.ts";
import { bytesSource } from "./file.ts";
import { httpSource } from "./http/http.ts";

const calm: CallContext = { signal: new AbortController().signal, report: () => undefined };
const real = globalThis.ReadableStream;
const untouched = Object.getOwnPropertyDescriptors(real.prototype);

afterEach(() => {
  globalThis.ReadableStream = real;
  Object.defineProperties(real.prototype, untouched);
});

/** Streams as WebKit has them; it says the same words. */
function withoutByteStreams(): void {
  const Plain = function (source?: UnderlyingSource, strategy?: QueuingStrategy) {
    if (source?.type !== undefined) throw new TypeError("ReadableByteStreamController is not implemented");
    return new real(source, strategy);
  };
  globalThis.ReadableStream = Plain as unknown as typeof ReadableStream;
  const plainReader = function (this: ReadableStream, options?: unknown) {
    if (options !== undefined) throw new TypeError("Invalid mode is specified");
    return untouched.getReader.value!.call(this);
  };
  Object.assign(real.prototype, { getReader: plainReader, [Symbol.asyncIterator]: undefined });
}

const document = JSON.stringify({
  version: 1,
  refs: Object.fromEntries([
    [".zgroup", '{"zarr_format":2}'],
    ["a/.zarray", '{"zarr_format":2,"shape":[40000],"chunks":[1],"dtype":"<i4","compressor":null,"filters":null}'],
    ...Array.from({ length: 40_000 }, (_, at) => [`a/${at}`, ["https://host.example/file", at * 4, 4]]),
  ]),
});
const bytes = new TextEncoder().encode(document);

async function referencesOf(stream: ByteStream): Promise<number> {
  const plain = await decompressed(stream, calm);
  const read = await readKerchunkJson(plain.stream.body, { sizeHint: undefined, context: calm });
  if (read.kind !== "set") throw new Error(`expected a set, found ${read.kind}`);
  return read.document.table.rows;
}

describe.each([
  ["with byte streams", () => undefined],
  ["without byte streams", withoutByteStreams],
])("%s", (_, prepare) => {
  it("a document is read from a file, plain and compressed", async () => {
    prepare();
    expect(bytes.length).toBeGreaterThan(1 << 20);
    expect(await referencesOf(await bytesSource(bytes, "refs.json").stream(calm))).toBe(40_000);
    const compressed = new Uint8Array(gzipSync(bytes));
    expect(await referencesOf(await bytesSource(compressed, "refs.json.gz").stream(calm))).toBe(40_000);
  });

  it("a document is read over HTTP", async () => {
    const server = await startRangeServer({ files: { "/refs.json": document } });
    try {
      // Node's own fetch makes byte streams: it is left what it needs until the answer is there.
      const answer = await fetch(server.url("/refs.json"));
      prepare();
      const source = httpSource(server.url("/refs.json"), { fetch: () => Promise.resolve(answer) });
      expect(await referencesOf(await source.stream(calm))).toBe(40_000);
    } finally {
      await server.stop();
    }
  });

  it("a piece is requested only when it is read, and what is left is cancelled", async () => {
    prepare();
    const log: string[] = [];
    const stream = streamOf({
      next: async () => {
        log.push("next");
        return new Uint8Array([1, 2, 3]);
      },
      close: async (reason) => void log.push(`close ${String(reason)}`),
    });
    await Promise.resolve();
    expect(log).toEqual([]);
    const reader = stream.getReader();
    expect((await reader.read()).value).toEqual(new Uint8Array([1, 2, 3]));
    await reader.cancel("enough");
    expect(log).toEqual(["next", "close enough"]);
  });

  it("what is put in front comes first, and a failure below is reported by the hook", async () => {
    prepare();
    let pulls = 0;
    const below = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        pulls += 1;
        if (pulls === 1) controller.enqueue(new Uint8Array([3, 4]));
        else controller.error(new Error("gone"));
      },
    });
    const hooks = { failure: (cause: unknown) => new Error(`broken off: ${(cause as Error).message}`) };
    const pieces = piecesOf(opened(relay(opened(below), new Uint8Array([1, 2]), hooks)));
    expect([...(await pieces.next())!]).toEqual([1, 2]);
    expect([...(await pieces.next())!]).toEqual([3, 4]);
    await expect(pieces.next()).rejects.toThrow("broken off: gone");
  });

  it("a fault of our own on the way is not reported as one of the stream below", async () => {
    prepare();
    const fault = new TypeError("read of undefined");
    const hooks = {
      after: () => {
        throw fault;
      },
      failure: () => new Error("the network"),
    };
    const stream = relay(opened(new Blob(["abc"]).stream()), new Uint8Array(0), hooks);
    await expect(stream.getReader().read()).rejects.toBe(fault);
  });
});

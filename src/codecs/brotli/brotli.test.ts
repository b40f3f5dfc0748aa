/** Against Node's own Brotli (google/brotli), which also made the streams. */
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isDeep, runs } from "#core/testing/runs.ts";
import { RefscopeError } from "#core/findings/finding.ts";
import { decodeHadoopLz4 } from "../lz/lz4-hadoop.ts";
import { decodeBrotli } from "./decode.ts";

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_MODE } = constants;
const encoded = (bytes: Uint8Array, quality: number, window = 22, mode = 0) =>
  brotliCompressSync(bytes, {
    params: { [BROTLI_PARAM_QUALITY]: quality, [BROTLI_PARAM_LGWIN]: window, [BROTLI_PARAM_MODE]: mode },
  });

const TEXT = Buffer.from("The information of this and that: http://www.example.com/ Government. ".repeat(300));
const NUMBERS = Buffer.from(Float64Array.from({ length: 8000 }, (_, at) => Math.sin(at / 9)).buffer);
const URLS = Buffer.from(
  Array.from({ length: 3000 }, (_, at) => `s3://bucket/2020/${at}/ocean-${at % 7}.nc`).join("\n"),
);

/** The outcome of decoding what may be damaged: bytes, or the code of an error that is ours. */
function outcomeOf(input: Uint8Array, size: number): Uint8Array | string {
  try {
    return decodeBrotli(input, size);
  } catch (error) {
    if (error instanceof RefscopeError) return error.code;
    throw error;
  }
}

function theirs(input: Uint8Array): Buffer | undefined {
  try {
    return brotliDecompressSync(input);
  } catch {
    return undefined;
  }
}

describe("Brotli", () => {
  // The best quality takes the encoder a hundred times as long; "of any bytes" has it too.
  it.each(isDeep ? [0, 1, 2, 5, 9, 11] : [0, 1, 5, 9])("of quality %d gives what was encoded", (quality) => {
    for (const bytes of [TEXT, NUMBERS, URLS, Buffer.alloc(0), Buffer.from("a"), Buffer.alloc(100_000)]) {
      for (const window of [10, 22]) {
        for (const mode of [0, 1, 2]) {
          expect(Buffer.compare(decodeBrotli(encoded(bytes, quality, window, mode), bytes.length), bytes)).toBe(0);
        }
      }
    }
  });

  it("of any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3000 }), fc.integer({ min: 0, max: 11 }), (bytes, quality) => {
        expect(decodeBrotli(encoded(bytes, quality), bytes.length)).toEqual(bytes);
      }),
      { numRuns: 60 },
    );
  });

  it("that is cut off, or of another size, is refused", () => {
    const stream = encoded(TEXT, 9);
    for (let at = 0; at < stream.length; at += 1) {
      expect(outcomeOf(stream.subarray(0, at), TEXT.length)).toBe("decode-failed");
    }
    expect(outcomeOf(stream, TEXT.length - 1)).toBe("decode-failed");
    expect(outcomeOf(stream, TEXT.length + 1)).toBe("decode-failed");
  });

  it("that is damaged is refused, or gives what the reference gives", () => {
    const streams = [encoded(TEXT, 11), encoded(NUMBERS.subarray(0, 3000), 5), encoded(URLS.subarray(0, 9000), 9)];
    const sizes = [TEXT.length, 3000, 9000];
    let seed = 7;
    const random = (below: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) % below;
    for (let run = 0; run < runs(3000); run += 1) {
      const which = run % streams.length;
      const damaged = Uint8Array.from(streams[which] ?? []);
      for (let at = 0; at <= run % 3; at += 1) damaged[random(damaged.length)] = random(256);
      const ours = outcomeOf(damaged, sizes[which] ?? 0);
      if (typeof ours === "string") {
        expect(ours).toBe("decode-failed");
        // Not even where the reference reads on: it has no size to keep to.
        expect(theirs(damaged)?.length).not.toBe(sizes[which]);
      } else expect(Buffer.compare(theirs(damaged) ?? Buffer.alloc(0), ours)).toBe(0);
    }
  });

  it("that would make more than was declared takes no memory for it", () => {
    const bomb = encoded(Buffer.alloc(64 * 1024 ** 2), 9, 24);
    expect(bomb.length).toBeLessThan(1000);
    expect(outcomeOf(bomb, 1000)).toBe("decode-failed");
  });
});

describe("LZ4 as Hadoop frames it", () => {
  const block = Uint8Array.of(0x30, 1, 2, 3);
  const frame = (size: number, stored: number) => [0, 0, 0, size, 0, 0, 0, stored];

  it("in one frame or several, or without one", () => {
    expect([...decodeHadoopLz4(Uint8Array.from([...frame(3, 4), ...block]), 3)]).toEqual([1, 2, 3]);
    const two = Uint8Array.from([...frame(3, 4), ...block, ...frame(3, 4), ...block]);
    expect([...decodeHadoopLz4(two, 6)]).toEqual([1, 2, 3, 1, 2, 3]);
    expect([...decodeHadoopLz4(block, 3)]).toEqual([1, 2, 3]);
  });

  it("that is damaged is refused", () => {
    for (const bytes of [
      [...frame(3, 5), ...block],
      [...frame(4, 4), ...block],
      [...frame(3, 4), ...block, 0],
    ]) {
      expect(() => decodeHadoopLz4(Uint8Array.from(bytes), 3)).toThrow(
        expect.objectContaining({ code: "decode-failed" }),
      );
    }
  });
});

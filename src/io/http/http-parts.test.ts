/** Parts of a range as they arrive, from a server that misbehaves; the bytes are right, or there are none. */
import { runs } from "#core/testing/runs.ts";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startRangeServer, type RangeServer } from "../../../e2e/support/range-server.ts";
import type { ByteRange, ReadBytes } from "#core/byte-source.ts";
import { httpSource, type HttpOptions } from "./http.ts";
import { fillParts } from "./range-parts.ts";

const content = Uint8Array.from({ length: 400_000 }, (_, at) => (at * 7 + (at >> 8)) & 255);
const calm = { signal: new AbortController().signal, report: () => undefined };
let server: RangeServer;

beforeAll(async () => {
  server = await startRangeServer({ files: { "/a.bin": content } });
});
afterAll(async () => {
  await server.stop();
});
beforeEach(() => {
  server.reset();
});

const RANGE = { offset: 1000, length: 300_000 };
const PARTS: readonly ByteRange[] = [
  { offset: 1000, length: 10_000 },
  { offset: 5000, length: 100_000 },
  { offset: 5000, length: 20_000 },
  { offset: 200_000, length: 101_000 },
];

interface Given {
  readonly part: number;
  readonly read: ReadBytes;
}

/** Reads parts; returns what was given, in order, and the end. */
async function readParts(faults: string | undefined, options: HttpOptions = {}, range: ByteRange = RANGE) {
  const given: Given[] = [];
  const quick = { sleep: () => Promise.resolve(), ...options };
  const source = httpSource(server.url("/a.bin", faults), quick);
  const moved = PARTS.map(({ offset, length }) => ({ offset: offset - RANGE.offset + range.offset, length }));
  const read = () => source.readParts?.(range, moved, calm, (part, one) => void given.push({ part, read: one }));
  const error: unknown = await Promise.resolve(read()).then(
    () => undefined,
    (failure: unknown) => failure,
  );
  for (const {
    part,
    read: { bytes },
  } of given) {
    const { offset, length } = moved[part]!;
    expect(Buffer.from(bytes).equals(content.subarray(offset, offset + length))).toBe(true);
    expect(bytes.buffer.byteLength).toBe(length);
  }
  expect(new Set(given.map(({ part }) => part)).size).toBe(given.length);
  return { given, error, read };
}

const numbers = (given: readonly Given[]) => given.map(({ part }) => part);
const areEarly = (given: readonly Given[]) => given.map(({ read }) => read.request.underWay === true);

describe("parts of a range", () => {
  it("are given before the request ends, and say so", async () => {
    const { given, error } = await readParts(undefined);
    expect(error).toBeUndefined();
    expect(numbers(given)).toEqual([0, 2, 1, 3]);
    expect(areEarly(given)).toEqual([true, true, true, false]);
    expect(server.requests).toHaveLength(1);
    const { request } = given[0]!.read;
    expect(request).toMatchObject({ range: RANGE, bytesExpected: 300_000, status: 206, rangeHonoured: true });
    expect(request.bytesReceived).toBeLessThan(300_000);
    expect(given[3]?.read.request).toMatchObject({ bytesReceived: 300_000, etag: '"400000"' });
  });

  it("are those of one file where the request breaks off and is made again", async () => {
    const { given, error } = await readParts("cut-body:150000/1");
    expect(error).toBeUndefined();
    expect(numbers(given)).toEqual([0, 2, 1, 3]);
    expect(given.map(({ read }) => read.request.attempts)).toEqual([1, 1, 1, 2]);
  });

  it("that came before the request failed for good stay given", async () => {
    const { given, error } = await readParts("cut-body:150000");
    expect(numbers(given)).toEqual([0, 2, 1]);
    expect(error).toMatchObject({ code: "connection-dropped" });
  });

  it.each(["short-206:150000", "wrong-range", "long-206", "long-206,no-length", "416", "403"])(
    "are not given of an answer that is not the range (%s)",
    async (fault) => {
      const { given, error } = await readParts(fault);
      expect(given).toEqual([]);
      expect(error).toMatchObject({ code: expect.any(String) as string });
    },
  );

  it.each(["no-length", "ignore-range", "gzip"])("wait for the end where only that can tell (%s)", async (fault) => {
    const { given, error } = await readParts(fault);
    expect(error).toBeUndefined();
    expect(areEarly(given)).toEqual([false, false, false, false]);
    expect(new Set(numbers(given)).size).toBe(4);
  });

  it("wait for the end at the beginning of a target, which may be a web page", async () => {
    const { given } = await readParts(undefined, {}, { ...RANGE, offset: 0 });
    expect(areEarly(given)).toEqual([false, false, false, false]);
  });

  it("of another origin, which may hide how it encodes, wait until one range came whole", async () => {
    const hidden: HttpOptions["fetch"] = async (url, init) => {
      const response = await fetch(url, init);
      return Object.defineProperty(response, "type", { value: "cors" });
    };
    const { given, read } = await readParts(undefined, { fetch: hidden });
    expect(areEarly(given)).toEqual([false, false, false, false]);
    await read();
    expect(areEarly(given.slice(4))).toEqual([true, true, true, false]);
  });
});

describe("filling parts", () => {
  it("gives each part its bytes, however the range is cut into pieces", () => {
    const range = { offset: 100, length: 500 };
    const part = fc
      .tuple(fc.nat(499), fc.integer({ min: 1, max: 500 }))
      .map(([from, length]) => ({ offset: 100 + from, length: Math.min(length, 500 - from) }));
    const law = fc.property(fc.array(part), fc.array(fc.integer({ min: 1, max: 200 })), (some, lengths) => {
      const parts = some.toSorted((one, other) => one.offset - other.offset);
      const found = new Map<number, Uint8Array>();
      let came = 0;
      const take = fillParts({
        range,
        parts,
        full(at, bytes, received) {
          expect(found.has(at)).toBe(false);
          expect(received).toBe(came);
          found.set(at, bytes);
        },
      });
      for (const length of [...lengths, 500]) {
        const piece = content.slice(100 + came, Math.min(600, 100 + came + length));
        came += piece.length;
        if (piece.length > 0) take(piece);
        for (const [at, { offset, length: size }] of parts.entries()) {
          expect(found.has(at)).toBe(offset + size <= 100 + came);
        }
      }
      for (const [at, { offset, length }] of parts.entries()) {
        expect(found.get(at)).toEqual(content.slice(offset, offset + length));
      }
    });
    fc.assert(law, { numRuns: runs(300) });
  });
});

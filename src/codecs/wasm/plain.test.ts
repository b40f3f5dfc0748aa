/**
 * The tests of the codecs once more, without WebAssembly: the plain decoders are the reference, and what is left where
 * it is refused.
 */
import { beforeAll, expect, it } from "vitest";
import "../cases.test.ts";
import "../hostile.test.ts";
import "../numcodecs.test.ts";
import "../blosc/unshuffle.test.ts";
import { fastInflater, fastLz4, fastSum } from "./decode.ts";
import { useWasm } from "./memory.ts";

beforeAll(() => {
  useWasm(false);
});

it("runs without the fast path", () => {
  expect(fastInflater(new Uint8Array(9))).toBeUndefined();
  expect(fastLz4(new Uint8Array(9), 9)).toBeUndefined();
  expect(fastSum("crc32", new Uint8Array(1e5))).toBeUndefined();
});

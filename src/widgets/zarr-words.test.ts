import { expect, test } from "vitest";
import { codecDetail } from "./zarr-words.ts";

test("a codec's detail is what its label says beyond its id", () => {
  expect(codecDetail("shuffle", "shuffle, 2-byte elements")).toBe("2-byte elements");
  expect(codecDetail("blosc", "Blosc, lz4")).toBe("lz4");
  expect(codecDetail("zlib", "zlib")).toBe("");
  expect(codecDetail("numcodecs.delta", "differences of 4 bytes")).toBe("differences of 4 bytes");
  expect(codecDetail("zlib", "zlibrary, old")).toBe("zlibrary, old");
});

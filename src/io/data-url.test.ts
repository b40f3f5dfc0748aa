/** Results of fsspec 2026.9's data filesystem for each URL (`cat_file` of a reference, Python 3.13). */
import { describe, expect, it } from "vitest";
import type { CallContext } from "../core/byte-source.ts";
import { dataSource, MAX_DATA_URL } from "./data-url.ts";

const calm: CallContext = { signal: new AbortController().signal, report: () => undefined };
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const latin = (text: string) => Buffer.from(text, "latin1").toString("hex");
const DIGITS = "data:;base64,MDEyMzQ1Njc4OQ==";

describe("a data: URL has the bytes that fsspec reads", () => {
  it.each([
    [DIGITS, latin("0123456789")],
    ["data:application/octet-stream;base64,MDEyMzQ1Njc4OQ==", latin("0123456789")],
    ["data:,Hello%2C%20World%21", latin("Hello, World!")],
    // Characters that are no base64 are passed over.
    ["data:;base64,MDEy MzQ\n1-_Njc4OQ==", latin("0123456789")],
    ["data:;base64,MDEyMzQ1", latin("012345")],
    ["data:;base64,YWI=YWI=", latin("ab")],
    // Escapes are not undone before base64 is.
    ["data:;base64,YWJj%3D%3D", "616263dc3dc3"],
    ["data:;base64,%4D%44", "e03e38"],
    // The part before the comma need only end in base64.
    ["data:text/base64,abcd", "69b71d"],
    ["data:;base64;x,YWJj", latin("YWJj")],
    ["data:,a%2", latin("a%2")],
    ["data:,%C3%A9é+x", "c3a9c3a92b78"],
    ["data:,", ""],
  ])("%s", async (url, bytes) => {
    const read = await dataSource(url).read(undefined, calm);
    expect(hex(read.bytes)).toBe(bytes);
    expect(read.findings).toEqual([]);
  });

  it("bytes that are not UTF-8 are replaced, which is said", async () => {
    const { bytes, findings } = await dataSource("data:,%FF%00é+x").read({ offset: 0, length: 8 }, calm);
    expect(hex(bytes)).toBe("efbfbd00c3a92b78");
    expect(findings).toMatchObject([{ code: "target-data-replaced" }]);
  });

  it("by range, and none past its end", async () => {
    const source = dataSource(DIGITS);
    expect(hex((await source.read({ offset: 2, length: 4 }, calm)).bytes)).toBe(latin("2345"));
    await expect(source.read({ offset: 8, length: 10 }, calm)).rejects.toMatchObject({
      code: "short-read",
      finding: { facts: { received: 2 } },
    });
    await expect(source.read({ offset: 20, length: 10 }, calm)).rejects.toMatchObject({ code: "range-past-end" });
  });

  it.each([
    ["data:;base64,MDEyMzQ", "base64"],
    ["data:;base64,MDEyM", "base64"],
    ["data:;base64,MDEyé", "base64"],
    ["data:,a\ud800", "surrogate"],
    [`data:,${"a".repeat(MAX_DATA_URL)}`, "length"],
  ])("what has none is refused", (url, problem) => {
    expect(() => dataSource(url)).toThrow(
      expect.objectContaining({
        code: "target-data-malformed",
        finding: expect.objectContaining({ facts: expect.objectContaining({ problem }) }),
      }),
    );
  });
});

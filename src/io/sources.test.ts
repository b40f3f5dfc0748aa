import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startRangeServer, type RangeServer } from "../../e2e/support/range-server.ts";
import type { CallContext } from "../core/byte-source.ts";
import { finding, WHOLE_SET } from "../core/findings/finding.ts";
import { covers, headersFor } from "./http/http-attempt.ts";
import { droppedFiles } from "./local-files.ts";
import { openSources } from "./sources.ts";

const calm: CallContext = { signal: new AbortController().signal, report: () => undefined };
let server: RangeServer;
beforeAll(async () => {
  server = await startRangeServer({ files: { "/a.bin": "0123456789" } });
});
afterAll(() => server.stop());

describe("openSources", () => {
  it("lets reads of one target find each other", async () => {
    const sources = openSources({ credentials: [], allowPrivate: false, files: undefined });
    const read = (offset: number): Promise<{ bytes: Uint8Array }> =>
      sources.sourceFor({ kind: "url", url: server.url("/a.bin"), steps: [] }).read({ offset, length: 2 }, calm);
    const [first, second] = await Promise.all([read(1), read(6)]);
    expect([first, second].map(({ bytes }) => new TextDecoder().decode(bytes))).toEqual(["12", "67"]);
    expect(server.requests.map(({ range }) => range)).toEqual(["bytes=1-7"]);
  });

  it("reads dropped files, and says what is missing", async () => {
    const files = droppedFiles([{ path: "d/a.nc", blob: new Blob(["abc"]) }]);
    const sources = openSources({ credentials: [], allowPrivate: false, files });
    const source = sources.sourceFor({ kind: "file", path: "d/a.nc", steps: [] });
    expect((await source.read(undefined, calm)).bytes.byteLength).toBe(3);
    const missing = { kind: "file", path: "d/b.nc", steps: [] } as const;
    expect(() => sources.sourceFor(missing)).toThrow(expect.objectContaining({ code: "file-not-given" }));
    const unresolved = { kind: "unresolved", finding: finding("target-null", WHOLE_SET, {}), steps: [] } as const;
    expect(() => sources.sourceFor(unresolved)).toThrow(expect.objectContaining({ code: "target-null" }));
  });
});

describe("credentials", () => {
  it.each([
    ["https://a.example/", "https://a.example/x", true],
    ["https://a.example", "https://a.example/x", true],
    ["https://a.example/x", "https://a.example/x", true],
    ["https://a.example/x", "https://a.example/x/y", true],
    ["https://a.example/x", "https://a.example/x?q", true],
    ["https://a.example/x", "https://a.example/xy", false],
    ["https://a.example/x/", "https://a.example/x/../y", false],
    ["https://a.example", "https://a.example.evil/x", false],
    ["https://a.example", "http://a.example/x", false],
    ["https://a.example", "https://a.example:8443/x", false],
    ["https://a.example", "https://a.example@evil/x", false],
    ["", "https://a.example/x", false],
    ["file:///", "file:///x", false],
  ])("%s covers %s: %s", (prefix, url, covered) => {
    expect(covers(prefix, url)).toBe(covered);
  });

  it("the longest prefix decides", () => {
    const given = [
      { prefix: "https://a.example/", headers: [["X", "short"]] },
      { prefix: "https://a.example/b/", headers: [["X", "long"]] },
    ] as const;
    expect(headersFor("https://a.example/b/c", given)).toEqual([["X", "long"]]);
    expect(headersFor("https://a.example/c", given)).toEqual([["X", "short"]]);
    expect(headersFor("https://b.example/c", given)).toEqual([]);
  });
});

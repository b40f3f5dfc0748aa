/** Targets in zip archives: what is asked of a server for them. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startRangeServer, type RangeServer } from "../../e2e/support/range-server.ts";
import type { CallContext, Resolution } from "../core/byte-source.ts";
import { writeZip } from "./fixtures/zip-writer.ts";
import { droppedFiles } from "./local-files.ts";
import { openSources } from "./sources.ts";

const calm: CallContext = { signal: new AbortController().signal, report: () => undefined };
const LARGE = Uint8Array.from({ length: 600_000 }, (_, at) => (at * 7) & 255);
const ZIP = writeZip([
  { name: "in/a.bin", content: "0123456789" },
  { name: "in/b.bin", content: "abcdefghij".repeat(100), method: 8 },
  { name: "large.bin", content: LARGE },
  { name: "deflated.bin", content: new Uint8Array(2 * 1024 ** 2), method: 8 },
]);

let server: RangeServer;
beforeAll(async () => {
  server = await startRangeServer({ files: { "/all.zip": ZIP, "/none.zip": "no archive" } });
});
beforeEach(() => void server.requests.splice(0));
afterAll(() => server.stop());

const files = droppedFiles([{ path: "all.zip", blob: new Blob([ZIP]) }]);
const sourcesNow = () => openSources({ credentials: [], allowPrivate: true, files });
type Member = Extract<Resolution, { readonly kind: "member" }>;
const inUrl = (path: string, archive = "/all.zip"): Member => ({
  kind: "member",
  path,
  archive: { kind: "url", url: server.url(archive), steps: [] },
  steps: [],
});
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

describe("a file in an archive", () => {
  it("that is stored is read by its range; the directory once", async () => {
    const sources = sourcesNow();
    const member = sources.sourceFor(inUrl("in/a.bin"));
    expect(text((await member.read({ offset: 2, length: 3 }, calm)).bytes)).toBe("234");
    const before = server.requests.length;
    const large = sources.sourceFor(inUrl("large.bin"));
    const { bytes, request } = await large.read({ offset: 500_000, length: 10 }, calm);
    expect(bytes).toEqual(LARGE.slice(500_000, 500_010));
    expect(request).toMatchObject({ url: server.url("/all.zip"), status: 206 });
    const later = server.requests.slice(before);
    expect(later).toHaveLength(2);
    expect(later.reduce((sum, { sent }) => sum + sent, 0)).toBeLessThan(1000);
  });

  it("that is deflated is inflated, also among local files", async () => {
    const local: Member = { ...inUrl("in/b.bin"), archive: { kind: "file", path: "all.zip", steps: [] } };
    for (const resolution of [inUrl("in/b.bin"), local]) {
      const source = sourcesNow().sourceFor(resolution);
      expect(text((await source.read({ offset: 95, length: 10 }, calm)).bytes)).toBe("fghijabcde");
      expect((await source.read(undefined, calm)).bytes).toHaveLength(1000);
      await expect(source.read({ offset: 995, length: 10 }, calm)).rejects.toMatchObject({
        code: "short-read",
        finding: { facts: { received: 5, size: 1000 } },
      });
    }
  });

  it("that is not there, and an archive that is none, are said", async () => {
    const sources = sourcesNow();
    const read = (resolution: Member) => sources.sourceFor(resolution).read({ offset: 0, length: 1 }, calm);
    await expect(read(inUrl("in/c.bin"))).rejects.toMatchObject({
      code: "zip-member-missing",
      finding: { facts: { name: "in/c.bin", files: 4 } },
    });
    await expect(read(inUrl("a", "/none.zip"))).rejects.toMatchObject({ code: "zip-not-found" });
    await expect(read(inUrl("a", "/gone.zip"))).rejects.toMatchObject({ code: "http-status" });
  });

  it("is probed for its own size", async () => {
    const wish = { furthest: undefined };
    const probe = await sourcesNow().probe(inUrl("in/b.bin"), wish, calm);
    expect(probe).toMatchObject({ size: 1000, range: { kind: "honoured" }, content: { kind: "data" } });
    const dear = await sourcesNow().probe(inUrl("deflated.bin"), wish, calm);
    expect(dear).toMatchObject({ size: 2 * 1024 ** 2, bytesReceived: 0 });
    expect(probe.url).toBe(`zip://in/b.bin::${server.url("/all.zip")}`);
    expect(await sourcesNow().probe(inUrl("c"), wish, calm)).toMatchObject({ failure: { code: "zip-member-missing" } });
  });
});

describe("data in a URL", () => {
  it("is read and probed without a request", async () => {
    const resolution = { kind: "data", url: "data:;base64,MDEyMzQ1Njc4OQ==", steps: [] } as const;
    const { bytes } = await sourcesNow().sourceFor(resolution).read({ offset: 1, length: 2 }, calm);
    expect(text(bytes)).toBe("12");
    expect(await sourcesNow().probe(resolution, { furthest: undefined }, calm)).toMatchObject({
      size: 10,
      requests: 0,
    });
    expect(server.requests).toEqual([]);
  });

  it("that is broken fails when it is read", async () => {
    const resolution = { kind: "data", url: "data:;base64,MDEyM", steps: [] } as const;
    const failed = sourcesNow().sourceFor(resolution).read({ offset: 1, length: 2 }, calm);
    await expect(failed).rejects.toMatchObject({ code: "target-data-malformed" });
    const probe = await sourcesNow().probe(resolution, { furthest: undefined }, calm);
    expect(probe).toMatchObject({ failure: { code: "target-data-malformed" } });
  });
});

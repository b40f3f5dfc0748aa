import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startRangeServer, type RangeServer } from "../../../e2e/support/range-server.ts";
import { type CallContext, NO_LOCATIONS } from "#core/byte-source.ts";
import { openSet } from "#engine/open/kerchunk-json/open-document.ts";
import { urlDocument } from "#engine/chunk/sources.ts";
import { httpSource, type Fetch, type HttpOptions } from "./http.ts";
import { httpStore } from "../store.ts";
import { targetAt } from "#core/findings/fact.ts";

const PUBLIC = "https://public.example";
const range = { offset: 1, length: 3 };
const calm: CallContext = { signal: new AbortController().signal, report: () => undefined };
let server: RangeServer;
let inner: RangeServer;

beforeAll(async () => {
  server = await startRangeServer({ files: { "/x": "public" } });
  inner = await startRangeServer({
    files: { "/x": "secret", "/s/zarr.json": "{}", "/refs.json": '{"version":1,"refs":{}}' },
  });
});
afterAll(async () => {
  await server.stop();
  await inner.stop();
});
beforeEach(() => {
  server.reset();
  inner.reset();
});

/** A public host that redirects to `inner`; the platform shows redirects only on request. */
const viaPublic: Fetch = (url, init) =>
  fetch(
    url.startsWith(PUBLIC) ? server.url("/x", `redirect:${inner.origin}${new URL(url).pathname}?sig=SECRET`) : url,
    init,
  );

const ways: readonly (readonly [string, HttpOptions])[] = [
  ["as the platform follows it", { fetch: viaPublic, attempts: 1 }],
  ["followed by hand", { fetch: viaPublic, attempts: 1, followsRedirects: true }],
];

describe.each(ways)("a redirect of a public host to a private one, %s", (_, options) => {
  it("is refused for ranges, whole targets, streams and stores", async () => {
    const source = httpSource(`${PUBLIC}/x`, options);
    const refused = { code: "redirect-to-private", finding: { facts: { host: inner.origin } } };
    await expect(source.read(range, calm)).rejects.toMatchObject(refused);
    await expect(source.read(undefined, calm)).rejects.toMatchObject(refused);
    await expect(source.stream(calm)).rejects.toMatchObject(refused);
    const store = httpStore(`${PUBLIC}/s`, options);
    await expect(store.stat("zarr.json", calm)).rejects.toMatchObject(refused);
    await expect(store.get("zarr.json", calm)).rejects.toMatchObject(refused);
    if (options.followsRedirects === true) expect(inner.requests).toEqual([]);
  });

  it("is followed where private addresses are allowed, and then said, without its query", async () => {
    const source = httpSource(`${PUBLIC}/x`, { ...options, allowPrivate: true });
    const { bytes, request } = await source.read(range, calm);
    expect(new TextDecoder().decode(bytes)).toBe("ecr");
    expect(request).toMatchObject({ url: `${PUBLIC}/x`, redirectedTo: `${inner.origin}/x`, status: 206 });
    expect((await source.read(undefined, calm)).request).toMatchObject({ redirectedTo: `${inner.origin}/x` });
    expect(inner.requests.map((one) => one.range)).toEqual(["bytes=1-3", undefined]);
  });

  it("holds for documents, which say where they were read", async () => {
    const network = { http: options };
    const open = (locations = NO_LOCATIONS) =>
      openSet(urlDocument(`${PUBLIC}/refs.json`, locations, network), undefined, {
        locations,
        network,
        options: {},
        context: calm,
      });
    await expect(open()).rejects.toMatchObject({ code: "redirect-to-private" });
    const opened = await open({ ...NO_LOCATIONS, allowPrivate: true });
    const findings = opened.kind === "set" ? opened.set.findings : [];
    expect(findings).toContainEqual(
      expect.objectContaining({ code: "document-redirected", place: targetAt(`${inner.origin}/refs.json`) }),
    );
  });
});

describe("redirects followed by hand", () => {
  const answers = (locations: ReadonlyMap<string, string>): { fetch: Fetch; asked: string[] } => {
    const asked: string[] = [];
    const fetch: Fetch = (url) => {
      asked.push(url);
      const location = locations.get(url);
      return Promise.resolve(
        location === undefined
          ? new Response("abc", { status: 200 })
          : new Response(null, { status: 302, headers: { Location: location } }),
      );
    };
    return { fetch, asked };
  };

  it("are judged one by one, relative ones too", async () => {
    const chain = new Map([
      [`${PUBLIC}/a`, "b"],
      [`${PUBLIC}/b`, "https://other.example/c"],
      ["https://other.example/c", "//10.0.0.1/d"],
    ]);
    const { fetch, asked } = answers(chain);
    const source = httpSource(`${PUBLIC}/a`, { fetch, followsRedirects: true, attempts: 1 });
    await expect(source.read(undefined, calm)).rejects.toMatchObject({ code: "redirect-to-private" });
    expect(asked).toEqual([`${PUBLIC}/a`, `${PUBLIC}/b`, "https://other.example/c"]);
  });

  it("end, in circles and where they lead nowhere", async () => {
    const { fetch, asked } = answers(
      new Map([
        [`${PUBLIC}/a`, `${PUBLIC}/a`],
        [`${PUBLIC}/f`, "file:///etc/passwd"],
      ]),
    );
    const read = (path: string) =>
      httpSource(PUBLIC + path, { fetch, followsRedirects: true, attempts: 1 }).read(undefined, calm);
    await expect(read("/a")).rejects.toMatchObject({ code: "redirects-too-many" });
    expect(asked).toHaveLength(21);
    await expect(read("/f")).rejects.toMatchObject({ code: "http-status" });
  });
});

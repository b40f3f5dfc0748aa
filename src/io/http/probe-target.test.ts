/** Tests of probing a URL, from a program that sees everything and from a browser that sees little. */
import { afterEach, describe, expect, it, vi } from "vitest";
import type { CallContext } from "#core/byte-source.ts";
import { httpTarget, type Fetch, type HttpOptions } from "./http-target.ts";
import { probeTarget, isMixed, type ProbeWish } from "./probe-target.ts";

const CALM: CallContext = { signal: new AbortController().signal, report: () => undefined };
const TARGET = "https://data.example/a.nc?sig=SECRET";
const NOTHING: ProbeWish = { furthest: undefined };

const probe = (fetch: Fetch, wish: ProbeWish = NOTHING, options: HttpOptions = {}) =>
  probeTarget(httpTarget(TARGET, { fetch, attempts: 1, sleep: async () => undefined, ...options }), wish, CALM);

/** A failed request in a browser, which gives no reason. */
const failed = () => Promise.reject(new TypeError("Failed to fetch"));

const rangeOf = (init: RequestInit) => new Headers(init.headers).get("Range");

describe("offline", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("says nothing of a server: what is asked waits until the browser is online, and asks then", async () => {
    const browser = { onLine: false };
    vi.stubGlobal("navigator", browser);
    let waits = 0;
    const sleep = () => {
      waits += 1;
      browser.onLine = waits >= 3;
      return Promise.resolve();
    };
    const fetch: Fetch = () => (browser.onLine ? Promise.resolve(new Response("", { status: 404 })) : failed());
    const seen = await probe(fetch, NOTHING, { sleep });
    expect(seen).toMatchObject({ status: 404, attempts: 1 });
    expect([waits, seen.failure]).toEqual([3, undefined]);
  });

  it("does not keep a host of this machine waiting", async () => {
    vi.stubGlobal("navigator", { onLine: false });
    const seen = await probeTarget(
      httpTarget("http://localhost:1/a.nc", { fetch: failed, attempts: 1 }),
      NOTHING,
      CALM,
    );
    expect(seen.unreachable).toBe("unreachable");
  });
});

describe("in a page", () => {
  it("a host that answers opaquely, and not to be read, blocks by CORS", async () => {
    const fetch: Fetch = (_, { mode }) => (mode === "no-cors" ? Promise.resolve(new Response()) : failed());
    const seen = await probe(fetch);
    expect(seen).toMatchObject({ unreachable: "blocked-by-cors", failure: { code: "cors-missing" } });
  });

  it("a host that does not even answer opaquely is unreachable", async () => {
    expect(await probe(failed)).toMatchObject({ unreachable: "unreachable", failure: { code: "host-unreachable" } });
  });

  it("a host that answers HEAD alone leaves it undecided, and says what can decide it, without the query", async () => {
    const fetch: Fetch = (_, { mode, method }) =>
      mode === "no-cors" && method === "HEAD" ? Promise.resolve(new Response()) : failed();
    const seen = await probe(fetch);
    expect(seen).toMatchObject({
      unreachable: "undecided",
      failure: { code: "unreachable-undecided", facts: { because: "only-head", url: "https://data.example/a.nc" } },
    });
  });

  it("a host that lets pages read its redirect, and leads to where they may not, is told from one that does not", async () => {
    const redirect = () => Object.defineProperty(new Response(), "type", { value: "opaqueredirect" });
    const fetch: Fetch = (_, { mode, redirect: how }) => {
      if (mode === "no-cors") return Promise.resolve(new Response());
      return how === "manual" ? Promise.resolve(redirect()) : failed();
    };
    const seen = await probe(fetch);
    expect(seen).toMatchObject({ unreachable: "blocked-by-cors", failure: { facts: { redirects: true } } });
    const answers: Fetch = (_, { mode }) => (mode === "no-cors" ? Promise.resolve(new Response()) : failed());
    expect((await probe(answers)).failure?.facts).toEqual({ withCredentials: false });
  });

  it("http from a page that came over https is blocked before anything is sent", () => {
    expect(isMixed("http://a.example/x", "https:")).toBe(true);
    expect(isMixed("https://a.example/x", "https:")).toBe(false);
    expect(isMixed("http://a.example/x", "http:")).toBe(false);
    expect(isMixed("http://a.example/x", undefined)).toBe(false);
  });

  it("a compressed answer to a range, which browsers refuse, is told from a host that blocks", async () => {
    const fetch: Fetch = (_, init) =>
      rangeOf(init) === null
        ? Promise.resolve(new Response("x", { headers: { "Content-Encoding": "gzip" } }))
        : failed();
    expect(await probe(fetch)).toMatchObject({ status: 200, range: { kind: "encoded", encoding: "gzip" } });
  });

  it("without Content-Range a range that is cut off tells the size, and a refused one that it is shorter", async () => {
    const answers =
      (tail: Response): Fetch =>
      async (_, init) => {
        if (init.method === "HEAD") return new Response(null, { status: 405 });
        return rangeOf(init) === "bytes=0-511" ? new Response(new Uint8Array(512), { status: 206 }) : tail;
      };
    const wish = { furthest: { offset: 900, length: 100 } };
    const cut = await probe(answers(new Response(new Uint8Array(6), { status: 206 })), wish);
    expect(cut).toMatchObject({ requests: 2, size: 990 });
    const refused = await probe(answers(new Response(null, { status: 416 })), wish);
    expect(refused).toMatchObject({ lacks: 1000 });
    expect(refused.size).toBeUndefined();
  });

  it("an answer that ends too soon is no end of the target where HEAD says that it goes on", async () => {
    const fetch: Fetch = async (_, { method }) =>
      method === "HEAD"
        ? new Response(null, { status: 200, headers: { "Content-Length": "40960" } })
        : new Response(new Uint8Array(200), { status: 206 });
    const seen = await probe(fetch);
    expect(seen).toMatchObject({ size: 40_960, range: { kind: "short", asked: { offset: 0 }, received: 200 } });
  });

  it("an answer that declares more than the range is too long, however it ends; nothing is made of its bytes", async () => {
    const headers = { "Content-Length": "522" };
    const body = () => new ReadableStream({ pull: (stream) => stream.error(new TypeError("network error")) });
    const seen = await probe(async () => new Response(body(), { status: 206, headers }));
    expect(seen).toMatchObject({ status: 206, range: { kind: "long", received: 522 } });
    expect([seen.failure, seen.content]).toEqual([undefined, undefined]);
  });

  it("an answer that another origin decompressed unsaid is told by the length that it declares", async () => {
    const headers = { "Content-Length": "535" };
    const seen = await probe(async () => new Response(new Uint8Array(512), { status: 206, headers }));
    expect(seen).toMatchObject({ range: { kind: "encoded", encoding: "unknown" } });
  });

  it("a target all of whose ranges are refused is empty only where nothing says that it is not", async () => {
    const answers =
      (length: string): Fetch =>
      async (_, { method }) =>
        new Response(null, method === "HEAD" ? { headers: { "Content-Length": length } } : { status: 416 });
    expect(await probe(answers("0"))).toMatchObject({ size: 0, content: { kind: "empty" } });
    const refused = await probe(answers("40960"));
    expect(refused).toMatchObject({ size: 40_960, status: 416 });
    expect(refused.content).toBeUndefined();
  });
});

describe("in a terminal", () => {
  const refused = Object.assign(new Error("refused"), { code: "ECONNREFUSED" });

  it("the reason is known", async () => {
    const seen = await probe(() => Promise.reject(new TypeError("fetch failed", { cause: refused })));
    expect(seen).toMatchObject({
      unreachable: "unreachable",
      failure: { code: "host-unreachable", facts: { reason: "ECONNREFUSED" } },
    });
  });

  it("it is asked as a page would ask, so that CORS can be judged; the region of a bucket and its words are kept", async () => {
    const origins: (string | null)[] = [];
    const headers = { "Access-Control-Expose-Headers": "ETag, Content-Range", "x-amz-bucket-region": "eu-west-1" };
    const body = "<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>";
    const fetch: Fetch = async (_, init) => {
      origins.push(new Headers(init.headers).get("Origin"));
      return new Response(body, { status: 403, headers });
    };
    const seen = await probe(fetch, { ...NOTHING, origin: "https://page.example" });
    expect(origins).toEqual(["https://page.example"]);
    expect(seen).toMatchObject({
      status: 403,
      said: { code: "AccessDenied", message: "Access Denied" },
      region: "eu-west-1",
      cors: { allowOrigin: undefined, exposed: ["etag", "content-range"] },
    });
  });

  it("an empty target is one that has nothing at its beginning", async () => {
    const fetch: Fetch = async () => new Response(null, { status: 416, headers: { "Content-Range": "bytes */0" } });
    expect(await probe(fetch)).toMatchObject({ size: 0, content: { kind: "empty" } });
  });

  it("an address that is none is said to be none", async () => {
    const seen = await probeTarget(httpTarget("ftp://x/y", {}), NOTHING, CALM);
    expect(seen).toMatchObject({ requests: 0, failure: { code: "url-invalid" } });
  });
});

it("does not wait for ever for a server that sends a byte now and then", async () => {
  const headers = { "Content-Range": "bytes 0-511/5000" };
  const drip = (signal: AbortSignal | null | undefined) =>
    new ReadableStream({
      start(controller) {
        const timer = setInterval(() => controller.enqueue(new Uint8Array(1)), 20);
        signal?.addEventListener("abort", () => {
          clearInterval(timer);
          controller.error(signal.reason);
        });
      },
    });
  const fetch: Fetch = (_, init) => Promise.resolve(new Response(drip(init.signal), { status: 206, headers }));
  const target = httpTarget("https://slow.example/a.nc", { fetch, idleTimeout: 100, attempts: 1 });
  const context = { signal: new AbortController().signal, report: () => undefined };
  const started = performance.now();
  const seen = await probeTarget(target, { furthest: undefined }, context);
  expect(seen.failure?.code).toBe("timeout");
  expect(performance.now() - started).toBeLessThan(3000);
});

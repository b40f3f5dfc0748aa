import { setMaxListeners } from "node:events";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startRangeServer, type RangeServer } from "../../e2e/support/range-server.ts";
import { type CallContext, NO_LOCATIONS } from "../core/byte-source.ts";
import { isAbort } from "../core/findings/finding.ts";
import { bytesSource } from "./file.ts";
import { writeZip } from "./fixtures/zip-writer.ts";
import { head } from "./http/http.ts";
import { droppedFiles } from "./local-files.ts";
import { resolveTarget } from "./resolve.ts";
import { filesStore, httpStore, type HttpStoreOptions, type Store } from "./store.ts";
import { openZip } from "./zip.ts";
import { rejectionOf } from "../core/testing/rejection.ts";

const calm: CallContext = { signal: new AbortController().signal, report: () => undefined };
setMaxListeners(0, calm.signal);
const odd = "odd/a b+c?d#e%20é,=:";
let server: RangeServer;
let other: RangeServer;

beforeAll(async () => {
  const files = {
    "/s/zarr.json": "{}",
    "/s/x/c/0/1": new Uint8Array(1234),
    "/s/x/empty": "",
    [`/s/${odd}`]: "odd",
    "/secret": "outside",
  };
  server = await startRangeServer({ files });
  other = await startRangeServer({ files });
});
afterAll(async () => {
  await server.stop();
  await other.stop();
});
beforeEach(() => server.reset());

const quick: HttpStoreOptions = { sleep: async () => undefined, random: () => 0.5 };
const store = (faults?: string, options: HttpStoreOptions = {}) =>
  httpStore(server.url("/s", faults), { ...quick, ...options });
const methods = () => server.requests.map(({ method, status }) => `${method} ${status}`);

async function textOf(from: Store, key: string): Promise<string | undefined> {
  const read = await from.get(key, calm);
  return read.kind === "present" ? new TextDecoder().decode(read.bytes) : undefined;
}

describe("a store behind a URL", () => {
  it("is asked by HEAD, without anything that needs asking first", async () => {
    const s = store();
    expect([s.keys, s.has("x/c/0/1"), s.sizeOf("x/c/0/1")]).toEqual([undefined, undefined, undefined]);
    expect(await s.stat("x/c/0/1", calm)).toEqual({ kind: "present", size: 1234 });
    expect([s.has("x/c/0/1"), s.sizeOf("x/c/0/1")]).toEqual([true, 1234]);
    expect(await s.stat("x/empty", calm)).toEqual({ kind: "present", size: 0 });
    expect(methods()).toEqual(["HEAD 200", "HEAD 200"]);
    expect(server.requests[0]?.headers).not.toHaveProperty("range");
    expect(server.requests[0]?.headers).not.toHaveProperty("referer");
  });

  it("gives whole objects, and says what is not there", async () => {
    const s = store();
    const read = await s.get("zarr.json", calm);
    expect(read).toMatchObject({ kind: "present", request: { status: 200, bytesReceived: 2 } });
    expect(await s.get("nothing", calm)).toEqual({ kind: "absent", status: 404 });
    expect(await s.stat("nothing", calm)).toEqual({ kind: "absent", status: 404 });
    expect(s.has("nothing")).toBe(false);
    expect(methods()).toEqual(["GET 200", "GET 404"]);
  });

  it("asks the same key once for all who want to know, and again after a minute", async () => {
    let time = 0;
    const s = store(undefined, { now: () => time });
    await Promise.all([s.stat("no/.zarray", calm), s.stat("no/.zarray", calm)]);
    await s.get("no/.zarray", calm);
    expect(server.requests).toHaveLength(1);
    time = 60_001;
    expect(s.has("no/.zarray")).toBeUndefined();
    await s.stat("no/.zarray", calm);
    expect(server.requests).toHaveLength(2);
  });

  it("spells keys so that the server gets them as they are, here and as targets", async () => {
    expect(await textOf(store(), odd)).toBe("odd");
    const signed = httpStore(`${server.origin}/s/?sig=a%2Bb&x=1#top`, quick);
    expect(signed.name).toBe(`${server.origin}/s/`);
    expect(await textOf(signed, odd)).toBe("odd");
    expect(server.requests.at(-1)?.path).toMatch(/\?sig=a%2Bb&x=1$/);
    const dropped = droppedFiles([{ path: "elsewhere/0/1", blob: new Blob(["wrong"]) }]);
    const target = resolveTarget("x/c/0/1", signed.base, NO_LOCATIONS, dropped);
    expect(target).toMatchObject({ kind: "url", url: `${server.origin}/s/x/c/0/1?sig=a%2Bb&x=1` });
    const plain = resolveTarget(odd, store().base, NO_LOCATIONS, undefined);
    expect(plain.kind === "url" ? (await fetch(plain.url)).status : plain).toBe(200);
  });

  it.each(["", "..", "../secret", "x/../../secret", "x/./y", "\ud800"])("never leaves its prefix: %j", async (key) => {
    expect((await rejectionOf(store().stat(key, calm))).code).toBe("store-key-invalid");
    expect((await rejectionOf(store().get(key, calm))).code).toBe("store-key-invalid");
    expect(server.requests).toEqual([]);
  });

  it.each(["/secret", "//127.0.0.1/secret", "\\..\\secret", "http://127.0.0.1/secret", "%2e%2e/secret"])(
    "takes %j for a name",
    async (key) => {
      expect(await store().stat(key, calm)).toMatchObject({ kind: "absent" });
      expect(server.requests[0]?.path).toMatch(/^\/s\//);
    },
  );

  it("refuses addresses that are none, or hold a password", () => {
    for (const prefix of ["nonsense", "ftp://a.example/s", "https://u:p@a.example/s"]) {
      expect(() => httpStore(prefix)).toThrow(expect.objectContaining({ code: "url-invalid" }));
    }
  });

  it("keeps to the host's limit, and stops when aborted", async () => {
    let [running, most] = [0, 0];
    const slow: HttpStoreOptions = {
      fetch: async (url, init) => {
        most = Math.max(most, (running += 1));
        const response = await fetch(url, init);
        running -= 1;
        return response;
      },
    };
    const s = store("slow-start:5", slow);
    await Promise.all(Array.from({ length: 30 }, (_, at) => s.stat(`k/${at}`, calm)));
    expect(most).toBeLessThanOrEqual(6);
    const leaver = new AbortController();
    const asking = store("hang").stat("x", { ...calm, signal: leaver.signal });
    leaver.abort();
    await expect(asking).rejects.toSatisfy(isAbort);
  });

  it("sends the user's headers below their prefix only, and then follows no redirect", async () => {
    const credentials = [{ prefix: server.url("/s/"), headers: [["Authorization", "Bearer x"]] }] as const;
    await store(undefined, { credentials }).stat("zarr.json", calm);
    expect(server.requests[0]?.headers.authorization).toBe("Bearer x");
    const error = await rejectionOf(
      store(`redirect:${other.url("/s/zarr.json")}`, { credentials }).stat("zarr.json", calm),
    );
    expect(["cors-missing", "connection-dropped", "host-unreachable"]).toContain(error.code);
    expect(other.requests.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  });
});

describe("servers that misbehave", () => {
  it("refuse HEAD: a byte is asked for, and HEAD not tried again", async () => {
    for (const fault of ["no-head:405,expose", "no-head:501,expose", "no-head,expose"]) {
      server.reset();
      const s = store(fault);
      expect(await s.stat("zarr.json", calm)).toMatchObject({ kind: "present", size: 2 });
      expect(await s.stat("x/empty", calm)).toEqual({ kind: "present", size: 0 });
      expect(await s.stat("nothing", calm)).toEqual({ kind: "absent", status: 404 });
      expect(methods().map((one) => one.slice(0, 4))).toEqual(["HEAD", "GET ", "GET ", "GET "]);
      expect(server.requests[1]?.range).toBe("bytes=0-0");
    }
  });

  it("let pages read GET only: a byte is asked for", async () => {
    const blocked: HttpStoreOptions = {
      fetch: (url, init) =>
        init.method === "HEAD" ? Promise.reject(new TypeError("Failed to fetch")) : fetch(url, init),
    };
    const s = store(undefined, blocked);
    expect(await s.stat("zarr.json", calm)).toMatchObject({ kind: "present" });
    expect(await s.stat("x/c/0/1", calm)).toMatchObject({ kind: "present" });
    expect(methods()).toEqual(["GET 206", "GET 206"]);
  });

  it("answer 403 for what does not exist: denied, and soon believed", async () => {
    const s = store("deny-missing");
    for (const key of ["a", "b", "c", "d", "e"]) {
      expect(await s.stat(key, calm)).toEqual({ kind: "denied", status: 403 });
      expect(s.has(key)).toBeUndefined();
    }
    // One more, for a name that cannot exist.
    expect(server.requests.length).toBe(9);
    expect(await s.stat("zarr.json", calm)).toEqual({ kind: "present", size: 2 });
    expect(await s.get("f", calm)).toEqual({ kind: "denied", status: 403 });
    server.reset();
    expect(await s.stat("after-a-present-one", calm)).toEqual({ kind: "denied", status: 403 });
    expect(methods()).toEqual(["HEAD 403"]);
  });

  it("let nothing be listed: the folder's own address is never asked for", async () => {
    const s = store();
    await s.stat("zarr.json", calm);
    expect(server.requests.every(({ path }) => !path.endsWith("/"))).toBe(true);
  });

  it("say 410, and 500 that passes", async () => {
    expect(await store("410").stat("x", calm)).toEqual({ kind: "absent", status: 410 });
    expect(await store("500:2").stat("zarr.json", calm)).toMatchObject({ kind: "present" });
    expect(await store("500:2").get("x/empty", calm)).toMatchObject({ kind: "present" });
  });

  it("fail: that is neither present nor absent, and is not remembered", async () => {
    const s = store("503");
    expect((await rejectionOf(s.stat("x", calm))).finding).toMatchObject({
      code: "http-status",
      place: { kind: "target", target: expect.stringContaining("/x") as string },
      facts: { status: 503 },
    });
    expect((await rejectionOf(s.get("x", calm))).code).toBe("http-status");
    expect(s.has("x")).toBeUndefined();
    const bad: HttpStoreOptions = { fetch: async () => new Response("AuthorizationHeaderMalformed", { status: 400 }) };
    const status = { code: "http-status", facts: { status: 400 } };
    expect((await rejectionOf(store(undefined, bad).stat("x", calm))).finding).toMatchObject(status);
    expect((await rejectionOf(store(undefined, bad).get("x", calm))).finding).toMatchObject(status);
    const gone = httpStore("http://127.0.0.1:9/s", quick);
    expect((await rejectionOf(gone.stat("x", calm))).code).toBe("host-unreachable");
  });

  it("compress, ignore ranges, give no length: present, of a size that is right or unknown", async () => {
    expect(await store("gzip").stat("zarr.json", calm)).toEqual({ kind: "present" });
    expect(await store("no-length").stat("zarr.json", calm)).toEqual({ kind: "present" });
    expect(await store("no-head:405,ignore-range").stat("x/c/0/1", calm)).toEqual({ kind: "present", size: 1234 });
    expect(await store("no-head:405,gzip").stat("x/c/0/1", calm)).toEqual({ kind: "present" });
  });

  it("can be asked for one URL", async () => {
    expect(await head(server.url("/s/x/c/0/1"), quick, calm)).toEqual({ kind: "present", size: 1234 });
    expect((await rejectionOf(head("ftp://x", quick, calm))).code).toBe("url-invalid");
  });
});

describe("a store of files", () => {
  const dropped = droppedFiles(
    ["top/s/zarr.json", "top/s/x/c/0", "top/s2/y", "z"].map((path) => ({ path, blob: new Blob([path]) })),
  );

  it("is the part of them below its folder", async () => {
    for (const prefix of ["top/s", "top/s/"]) {
      const s = filesStore(dropped, prefix);
      expect([s.name, s.keys]).toEqual(["top/s", ["zarr.json", "x/c/0"]]);
      expect([s.has("x/c/0"), s.sizeOf("x/c/0"), s.has("y"), s.sizeOf("y")]).toEqual([true, 11, false, undefined]);
      expect(await textOf(s, "x/c/0")).toBe("top/s/x/c/0");
      expect(await s.stat("x/c/0", calm)).toEqual({ kind: "present", size: 11 });
      expect(await s.stat("../s2/y", calm)).toEqual({ kind: "absent" });
      expect(await s.get("nothing", calm)).toEqual({ kind: "absent" });
    }
    expect(filesStore(dropped, "").keys).toHaveLength(4);
  });

  it("resolves its keys to just those files", () => {
    const { base } = filesStore(dropped, "top/s");
    expect(resolveTarget("x/c/0", base, NO_LOCATIONS, dropped)).toMatchObject({ kind: "file", path: "top/s/x/c/0" });
    expect(resolveTarget("y", base, NO_LOCATIONS, dropped)).toMatchObject({ kind: "unresolved" });
    const root = filesStore(dropped, "").base;
    expect(resolveTarget("z", root, NO_LOCATIONS, dropped)).toMatchObject({ kind: "file", path: "z" });
  });

  it("may be a zip archive", async () => {
    const entries = [
      { name: "s.zarr/zarr.json", content: "{}", method: 8 },
      { name: "s.zarr/a/c/0", content: "abc" },
    ];
    const files = await openZip(bytesSource(writeZip(entries), "s.zip"), calm);
    const s = filesStore(files, "s.zarr");
    expect(s.keys).toEqual(["zarr.json", "a/c/0"]);
    expect(s.sizeOf("zarr.json")).toBe(2);
    expect(await textOf(s, "a/c/0")).toBe("abc");
    expect(resolveTarget("a/c/0", s.base, NO_LOCATIONS, files)).toMatchObject({ kind: "file", path: "s.zarr/a/c/0" });
  });

  it("may be a zip archive behind a URL, of which little is read", async () => {
    server.put(
      "/big.zip",
      writeZip([
        { name: "a/c/0", content: new Uint8Array(500_000) },
        { name: "zarr.json", content: "{}" },
      ]),
    );
    const { httpSource } = await import("./http/http.ts");
    const url = server.url("/big.zip");
    const found = await head(url, quick, calm);
    const size = found.kind === "present" ? found.size : undefined;
    const files = await openZip(httpSource(url, size === undefined ? quick : { ...quick, size }), calm);
    expect(await textOf(filesStore(files, ""), "zarr.json")).toBe("{}");
    expect(server.requests.map(({ method, range }) => (range === undefined ? method : "range"))).toEqual([
      "HEAD",
      "range",
      "range",
    ]);
    expect(server.requests.reduce((sum, { sent }) => sum + sent, 0)).toBeLessThan(70_000);
  });
});

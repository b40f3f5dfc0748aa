/**
 * Public names that lead to this machine, at once or a moment later, and what `fetch` would give of everything else.
 */
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, describe, expect, it, test } from "vitest";
import { httpSource } from "../io/http/http.ts";
import { type Guard, guardedFetch } from "./guarded-fetch.ts";
import type { Lookup } from "./judged-request.ts";
import { CONTEXT } from "./testing/open-corpus.ts";

const servers: Server[] = [];
afterAll(() => servers.forEach((server) => server.close()));

async function started(answer: RequestListener): Promise<number> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return (server.address() as AddressInfo).port;
}

const NAMES: Readonly<Record<string, readonly string[]>> = {
  "rebound.example": ["127.0.0.1"],
  "mixed.example": ["93.184.216.34", "fd00::1"],
};
const found = (addresses: readonly string[]) =>
  addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
/** Nobody is asked at what is public here. */
const lookup = ((host: string, { all }: { readonly all?: boolean }, done: (...found: unknown[]) => void) => {
  const addresses = found(NAMES[host] ?? []);
  if (addresses.length === 0) done(Object.assign(new Error("unknown"), { code: "ENOTFOUND" }));
  else if (all === true) done(null, addresses);
  else done(null, addresses[0]?.address, addresses[0]?.family);
}) as unknown as Lookup;

const outcomeOf = async (url: string, guard: Guard): Promise<unknown> => {
  try {
    return (await guardedFetch({ lookup, ...guard })(url, {})).status;
  } catch (error) {
    const { code, cause } = error as { readonly code?: string; readonly cause?: { readonly code?: string } };
    return code ?? cause?.code;
  }
};

describe("what a name leads to", async () => {
  const port = await started((_, response) => response.end("x"));

  it.each<readonly [string, string | undefined, unknown]>([
    [`http://rebound.example:${port}/a`, undefined, "target-private-address"],
    ["http://mixed.example/a", "https://public.example/refs.json", "target-private-address"],
    ["http://unknown.example/a", undefined, "ENOTFOUND"],
    // The user wrote it.
    [`http://rebound.example:${port}/a`, "http://rebound.example/refs.json", 200],
    [`http://rebound.example:${port}/a`, "http://127.0.0.1:8000/refs.json", 200],
    // Who resolves targets judges names.
    [`http://127.0.0.1:${port}/`, "https://public.example/a.nc", 200],
  ])("is looked at: %s for a set from %s", async (url, trusted, outcome) => {
    expect(await outcomeOf(url, { trusted })).toBe(outcome);
  });

  it("is not looked at where it may be anywhere", async () => {
    const url = `http://rebound.example:${port}/a`;
    expect(await outcomeOf(url, { trusted: undefined, allowPrivate: true })).toBe(200);
  });

  it("is refused by its name where nobody else judges that", async () => {
    const guard = { trusted: "https://public.example/a.nc", judgesNames: true };
    expect(await outcomeOf(`http://127.0.0.1:${port}/`, guard)).toBe("target-private-address");
  });

  it("cannot become another address after it was judged", async () => {
    let [asked, lookups] = [0, 0];
    const here = await started((_, response) => {
      asked += 1;
      response.end("secret");
    });
    // An address of documentation, where nobody is; this machine from the second time on.
    const rebinding = ((_: string, { all }: { readonly all?: boolean }, done: (...found: unknown[]) => void) => {
      const address = (lookups += 1) === 1 ? "192.0.2.1" : "127.0.0.1";
      if (all === true) done(null, found([address]));
      else done(null, address, 4);
    }) as unknown as Lookup;
    const fetch = guardedFetch({ trusted: undefined, lookup: rebinding });
    const { signal } = { signal: AbortSignal.timeout(300) };
    await expect(fetch(`http://rebinding.example:${here}/`, { signal })).rejects.toBeDefined();
    expect([lookups, asked]).toEqual([1, 0]);
    expect(await outcomeOf(`http://rebinding.example:${here}/`, { trusted: undefined, lookup: rebinding })).toBe(
      "target-private-address",
    );
    expect(asked).toBe(0);
  });
});

describe("as fetch gives it", async () => {
  const LONG = Buffer.alloc(300_000, "0123456789");
  const sockets = new Set<unknown>();
  let closed = 0;
  const port = await started((asked, response) => {
    sockets.add(asked.socket);
    const { url = "", headers } = asked;
    const encodings = { "/gzip": gzipSync(LONG), "/deflate": deflateSync(LONG), "/br": brotliCompressSync(LONG) };
    const encoded = (encodings as Readonly<Record<string, Buffer>>)[url];
    if (url === "/asked") return void response.end(JSON.stringify(headers));
    if (url === "/redirect") return void response.writeHead(302, { location: "/elsewhere" }).end("moved");
    if (url === "/twice")
      return void response
        .writeHead(
          200,
          [
            ["ETag", "a"],
            ["ETag", "b"],
          ].flat(),
        )
        .end();
    if (url === "/odd") return void response.writeHead(799).end("odd");
    if (url === "/cut") {
      response.writeHead(200, { "content-length": 10 }).write("0123");
      return void setTimeout(() => response.destroy(), 50);
    }
    if (url === "/slow") {
      response.on("close", () => (closed += 1));
      return void response.writeHead(200, { "content-length": 10 }).write("0123");
    }
    if (url === "/both")
      return void response.writeHead(200, { "content-encoding": "deflate, gzip" }).end(gzipSync(deflateSync(LONG)));
    if (encoded !== undefined) response.setHeader("content-encoding", url.slice(1));
    if (url === "/other") response.setHeader("content-encoding", "other");
    response.end(encoded ?? LONG);
  });
  const at = (path: string) => `http://127.0.0.1:${port}${path}`;
  const ours = guardedFetch({ trusted: at("/") });
  const theirs = (url: string, init: RequestInit) => globalThis.fetch(url, { redirect: "manual", ...init });

  test.each(["/plain", "/gzip", "/deflate", "/br", "/both", "/other", "/redirect", "/twice", "/odd"])(
    "%s",
    async (path) => {
      for (const method of ["GET", "HEAD"]) {
        const [own, other] = [await ours(at(path), { method }), await theirs(at(path), { method })];
        const said = ({ status, ok, url }: Response) => [status, ok, url];
        expect(said(own)).toEqual(said(other));
        for (const name of ["content-encoding", "content-length", "location", "etag"])
          expect([name, own.headers.get(name)]).toEqual([name, other.headers.get(name)]);
        const [a, b] = [Buffer.from(await own.arrayBuffer()), Buffer.from(await other.arrayBuffer())];
        expect(Buffer.compare(a, b)).toBe(0);
      }
    },
  );

  test("a range is asked for as it is, and all else may be compressed", async () => {
    const asked = async (headers: Record<string, string>) =>
      (await (await ours(at("/asked"), { headers })).json()) as Readonly<Record<string, string>>;
    expect(await asked({ Range: "bytes=0-1" })).toMatchObject({ range: "bytes=0-1", "accept-encoding": "identity" });
    expect(await asked({})).toMatchObject({ "accept-encoding": "gzip, deflate, br" });
  });

  test("a body that breaks off says why, and so does a host where nobody is", async () => {
    const response = await ours(at("/cut"), {});
    await expect(response.arrayBuffer()).rejects.toMatchObject({ cause: { code: "ECONNRESET" } });
    const nobody = ours("http://127.0.0.1:1/", {});
    await expect(nobody).rejects.toMatchObject({ message: "fetch failed", cause: { code: "ECONNREFUSED" } });
  });

  test("who leaves ends the request, before and while the body comes", async () => {
    const [before, within] = [new AbortController(), new AbortController()];
    const asked = ours(at("/slow"), { signal: within.signal });
    const reader = (await asked).body?.getReader();
    expect((await reader?.read())?.value).toEqual(new Uint8Array(Buffer.from("0123")));
    const more = reader?.read();
    within.abort();
    await expect(more).rejects.toBeDefined();
    before.abort();
    await expect(ours(at("/slow"), { signal: before.signal })).rejects.toMatchObject({ name: "AbortError" });
    void (await ours(at("/slow"), {})).body?.cancel();
    await expect.poll(() => closed).toBe(2);
  });

  test("connections are kept for the next request", async () => {
    sockets.clear();
    const source = httpSource(at("/plain"), { fetch: ours });
    for (let time = 0; time < 5; time += 1) await source.read(undefined, CONTEXT);
    expect(sockets.size).toBeLessThanOrEqual(2);
  });
});

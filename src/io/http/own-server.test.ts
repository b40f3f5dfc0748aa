import { describe, expect, it } from "vitest";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import type { ReferencePages } from "#core/table/reference-pages.ts";
import { tableBuilder } from "#core/table/table-builder.ts";
import { withoutToken } from "#core/words/without-secrets.ts";
import { resolveTarget } from "../resolve.ts";
import { openSources } from "../sources.ts";
import { hostLimit } from "./host-limit.ts";
import type { Fetch } from "./http-target.ts";
import { joined } from "./own-server.ts";

const BASE = "http://127.0.0.1:5000/abcdefghijklmnopqrstuvwxyz012345/";
const CONTEXT = { signal: new AbortController().signal, report: () => undefined };
const SESSION = {
  version: 1,
  open: "file:///home/me/data/sets/ocean.json",
  name: "ocean.json",
  relays: [
    { prefix: "file:///home/me/data/", at: "files/" },
    { prefix: "https://data.example/", at: "relay/0/" },
    { prefix: "memory://whole.nc", at: "relay/1/" },
    { prefix: "s3://bucket/", at: "relay/2/" },
    { prefix: "file:///scratch/run/a%20b.nc", at: "files/found/a%20b.nc" },
  ],
  learn: "learn",
};

/** A network that answers as `answer` says, and the paths requested from it. */
async function network(answer: (path: string) => Response | undefined, session: unknown = SESSION) {
  const asked: string[] = [];
  const fetch: Fetch = async (url) => {
    asked.push(url);
    if (url === `${BASE}session.json`) return Response.json(session);
    const found = answer(url);
    if (found === undefined) throw new TypeError("Failed to fetch");
    return found;
  };
  const limit = hostLimit();
  const found = await joined(`${BASE}#array=sst`, { http: { fetch, attempts: 1, limit } });
  const { relays, http } = found.network;
  const locations = { ...NO_LOCATIONS, relays };
  const base = { kind: "url", url: SESSION.open } as const;
  const sources = openSources({ ...locations, files: undefined, ...(http && { http }) });
  return {
    ...found,
    asked,
    relays,
    resolve: (target: string | null) => resolveTarget(target, base, locations, undefined),
    read: (target: string) =>
      sources.sourceFor(resolveTarget(target, base, locations, undefined)).read({ offset: 0, length: 2 }, CONTEXT),
  };
}

const two = (headers: Record<string, string> = { "refscope-relay": "answered" }) =>
  new Response("ab", { status: 206, headers: { ...headers, "content-length": "2", "content-range": "bytes 0-1/9" } });

describe("the page's own server on this computer", () => {
  it.each([
    ["https://data.example/a b.nc?x=1", "https://data.example/a%20b.nc?x=1", "relay/0/a%20b.nc?x=1"],
    ["/home/me/data/x%20#.nc", "file:///home/me/data/x%2520%23.nc", "files/x%2520%23.nc"],
    ["file:///home/me/data/x.nc", "file:///home/me/data/x.nc", "files/x.nc"],
    ["file:/home/me/data/x.nc", "file:///home/me/data/x.nc", "files/x.nc"],
    ["x.nc", "file:///home/me/data/sets/x.nc", "files/sets/x.nc"],
    ["../x.nc", "file:///home/me/data/x.nc", "files/x.nc"],
    ["/scratch/run/a b.nc", "file:///home/me/data/found/a%20b.nc", "files/found/a%20b.nc"],
    ["memory://whole.nc", "memory://whole.nc", "relay/1/"],
    ["s3://bucket/a+b.nc", "s3://bucket/a%2Bb.nc", "relay/2/a%2Bb.nc"],
  ])("fetches %s", async (target, shown, path) => {
    const { read, asked } = await network(() => two());
    const { bytes, request } = await read(target);
    expect(bytes).toEqual(new TextEncoder().encode("ab"));
    expect(request).toMatchObject({ url: shown, relayed: true, targetSize: 9 });
    expect(request).not.toHaveProperty("redirectedTo");
    expect(asked.at(-1)).toBe(BASE + path);
  });

  it.each(["../../../x.nc", "/home/me/secret", "/home/me/data/../x", "file:///etc/passwd", "s3://bucket/../other/x"])(
    "does not lead out by %s",
    async (target) => {
      const { resolve } = await network(() => two());
      expect(resolve(target).kind).toBe("unresolved");
    },
  );

  it("leaves others as they are, and the user's own headers to their host", async () => {
    const { read, asked, resolve, network: joint } = await network(() => two());
    expect((await read("https://other.example/a.nc")).request).not.toHaveProperty("relayed");
    expect(asked.at(-1)).toBe("https://other.example/a.nc");
    expect(resolve("s3://other/a.nc")).toMatchObject({ url: "https://other.s3.amazonaws.com/a.nc" });
    await joint.http?.fetch?.("https://data.example/a.nc", { headers: { authorization: "mine" } });
    expect(asked.at(-1)).toBe("https://data.example/a.nc");
  });

  it("says where an answer came from, and why there is none", async () => {
    const moved = await network(() =>
      two({ "refscope-relay": "answered", "refscope-from": "https://cdn.example/a.nc", "refscope-type": "text/html" }),
    );
    const typed = await moved.network.http?.fetch?.("https://data.example/a.nc", {});
    expect(typed?.headers.get("content-type")).toBe("text/html");
    expect((await moved.read("https://data.example/a.nc")).request.redirectedTo).toBe("https://cdn.example/a.nc");
    const failing = async (body: unknown, status = 502, said = "failed") => {
      const headers: HeadersInit = said === "" ? {} : { "refscope-relay": said };
      const { read } = await network(() => Response.json(body, { status, headers }));
      return read("https://data.example/a.nc").then(
        () => undefined,
        (error: { finding: unknown }) => error.finding,
      );
    };
    const host = "data.example";
    expect(await failing({ problem: "private", host })).toMatchObject({
      code: "not-relayed",
      facts: { problem: "private", host },
    });
    expect(await failing({ problem: "unreachable", host, reason: "ENOTFOUND" })).toMatchObject({
      code: "host-unreachable",
      facts: { reason: "ENOTFOUND" },
    });
    expect(await failing({}, 403, "")).toMatchObject({ code: "not-relayed", facts: { problem: "refused", host } });
    expect(await failing({}, 404, "")).toMatchObject({ code: "not-relayed", facts: { problem: "ended" } });
    const { read } = await network(() => undefined);
    await expect(read("https://data.example/a.nc")).rejects.toMatchObject({
      code: "not-relayed",
      finding: { facts: { problem: "ended" } },
    });
  });

  it("is told of a chunk whose target is nowhere that is known, once", async () => {
    const learnt = { relays: [...SESSION.relays, { prefix: "https://new.example/", at: "relay/3/" }] };
    const { asked, relays, resolve, read } = await network((url) =>
      url.includes("learn?") ? Response.json(learnt) : two(),
    );
    const table = tableBuilder();
    const array = table.addArray("a/b", [2, 2], ".", false);
    const pages = {
      visit: (page: number, see: (ordinal: number) => void) => [page * 2, page * 2 + 1].forEach(see),
      load: async (_page: number, into: { table: typeof table }) => {
        for (const host of ["data", "new"])
          into.table.addRange(array, 0, into.table.addTarget(`https://${host}.example/x.nc`), 0, 1);
        return [];
      },
    } as unknown as ReferencePages;
    const watched = relays?.watched?.(pages, { url: SESSION.open, path: "a/b", grid: [2, 2], resolve });
    await watched?.load(1, { table, array }, CONTEXT);
    await watched?.load(0, { table, array }, CONTEXT);
    expect(asked.filter((url) => url.includes("learn"))).toEqual([`${BASE}learn?array=a%2Fb&chunk=1.0`]);
    await read("https://new.example/x.nc");
    expect(asked.at(-1)).toBe(`${BASE}relay/3/x.nc`);
  });

  it("is none where nothing says so", async () => {
    const { open, network: same } = await network(() => undefined, "<!doctype html>");
    expect([open, same.relays]).toEqual([null, undefined]);
  });
});

describe("the token", () => {
  it.each([
    [`${BASE}#url=x`, "http://127.0.0.1:5000/#url=x"],
    [
      "https://tool.example/abcdefghijklmnopqrstuvwxyz012345/#a",
      "https://tool.example/abcdefghijklmnopqrstuvwxyz012345/#a",
    ],
    ["http://localhost:5173/#url=x", "http://localhost:5173/#url=x"],
    [
      "https://hub.example/user/me/proxy/5000/abcdefghijklmnopqrstuvwxyz012345/#url=x",
      "https://hub.example/user/me/proxy/5000/#url=x",
    ],
  ])("of %s is in no link", (address, link) => expect(withoutToken(address)).toBe(link));
});

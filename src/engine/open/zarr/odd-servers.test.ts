/** Stores on servers that hide names, deny everything, or let a page read no error: as real servers answer. */
import { expect, it } from "vitest";
import { CONTEXT } from "#engine/fixtures/plain-table.ts";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import type { Fetch } from "#io/http/http.ts";
import { openAny, pathsTo } from "../open-any.ts";

const URL_OF_STORE = "https://data.example/a.zarr/";
const ZARRAY =
  '{"zarr_format":2,"shape":[4],"chunks":[2],"dtype":"|i1","compressor":null,"filters":null,"order":"C","fill_value":-5}';
const GROUP = '{"zarr_format":2}';
const FILES: Readonly<Record<string, string>> = {
  ".zgroup": GROUP,
  "t/.zarray": ZARRAY,
  "t/0": "\u0001\u0002",
  "g/.zgroup": GROUP,
  "g/u/.zarray": ZARRAY,
  "g/u/1": "\u0003\u0004",
};

const nameIn = (url: string) => new URL(url).pathname.replace("/a.zarr/", "");

/** `fetch` of a browser: an answer without the header is a TypeError without a reason. */
const inPage =
  (answer: Fetch): Fetch =>
  async (url, init) => {
    const response = await answer(url, init);
    if (init.mode === "no-cors") return response;
    if (response.headers.get("Access-Control-Allow-Origin") === "*") return response;
    throw new TypeError("Failed to fetch");
  };

async function open(fetch: Fetch, paths: readonly string[] = []) {
  const source = { kind: "url", url: URL_OF_STORE } as const;
  const network = { http: { fetch, attempts: 1 } };
  const opened = await openAny(source, { locations: NO_LOCATIONS, network, options: { paths }, context: CONTEXT });
  return opened.kind === "set" ? opened.set : expect.fail("a choice");
}

const arraysOf = ({ hierarchy }: Awaited<ReturnType<typeof open>>) =>
  [...hierarchy.nodes.values()].flatMap((node) => (node.kind === "array" ? [node.path] : []));

function hidingDots(name: string): Response {
  const text = FILES[name];
  if (text !== undefined) return new Response(text);
  const inside = Object.keys(FILES).filter((key) => key.startsWith(name) && !(name === "" && key.startsWith(".")));
  if (!/^$|\/$/.test(name) || inside.length === 0) return new Response("", { status: 404 });
  const names = new Set(inside.map((key) => /^[^/]*\/?/.exec(key.slice(name.length))?.[0] ?? ""));
  const links = [...names].filter((one) => !one.startsWith(".")).map((one) => `<a href="${one}">${one}</a>`);
  return new Response(
    `<html><head><title>Index of /a.zarr/${name}</title></head><body>${links.join("")}</body></html>`,
  );
}

it("names that begin with a dot are asked for where the index page leaves them out", async () => {
  const set = await open((url) => Promise.resolve(hidingDots(nameIn(url))));
  expect(arraysOf(set)).toEqual(["g/u", "t"]);
  expect(set.unlisted).toBe(false);
});

it("an array that is named is asked for where nothing is listed", async () => {
  const fetch: Fetch = (url) => {
    const text = FILES[nameIn(url)];
    return Promise.resolve(text === undefined ? new Response("", { status: 404 }) : new Response(text));
  };
  expect(arraysOf(await open(fetch))).toEqual([]);
  expect(arraysOf(await open(fetch, pathsTo("/g/u")))).toEqual(["g/u"]);
});

it.each([401, 403])("a store that is denied (%i) is said by its own address", async (status) => {
  const denied = open(() => Promise.resolve(new Response("", { status })));
  await expect(denied).rejects.toMatchObject({
    code: "http-status",
    finding: { place: { kind: "target", target: URL_OF_STORE }, facts: { status } },
  });
});

const CORS = { "Access-Control-Allow-Origin": "*" };

it("a page opens a store without .zmetadata whose server sends CORS headers on success only", async () => {
  const answer: Fetch = (url, { method }) => {
    const text = FILES[nameIn(url)];
    if (text === undefined) return Promise.resolve(new Response("", { status: 404 }));
    return Promise.resolve(new Response(method === "HEAD" ? null : text, { headers: CORS }));
  };
  const set = await open(inPage(answer), ["t"]);
  expect(arraysOf(set)).toEqual(["t"]);
  expect(set.findings.map(({ code }) => code)).toContain("cors-on-success-only");
  const { pages } = [...set.index.paged.values()][0] ?? expect.fail("no pages");
  await set.index.paged.get(0)?.load([0, 1], CONTEXT);
  await set.refresh(CONTEXT);
  expect(pages.count).toBe(2);
  expect(set.tally.states).toMatchObject({ native: 1, missing: 1, bad: 0 });
  expect(set.findings.filter(({ code }) => code === "cors-on-success-only").length).toBeGreaterThan(1);
});

it("a page that may read nothing of a server says so", async () => {
  const nothing = inPage((url) => Promise.resolve(hidingDots(nameIn(url))));
  await expect(open(nothing)).rejects.toMatchObject({ code: "cors-missing" });
});

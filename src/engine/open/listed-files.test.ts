import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startRangeServer, type RangeServer } from "../../../e2e/support/range-server.ts";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { ALL_TOGETHER } from "#core/open-set.ts";
import { MOST_LISTED } from "#io/http/list-folder.ts";
import { readChunk } from "../chunk/read-chunk.ts";
import { togetherLater as together } from "../preflight/together-later.ts";
import { listedFiles } from "./candidates.ts";
import { openAny } from "./open-any.ts";

const FILES = join(import.meta.dirname, "../preflight/fixtures/files");
const CONTEXT = { signal: new AbortController().signal, report: () => undefined };
const NAMES = ["lastp_0.nc", "lastp_1.nc", "lastp_2.nc"];
let server: RangeServer;

beforeAll(async () => {
  const files = NAMES.map((name): [string, Uint8Array] => [`/b/p/${name}`, readFileSync(join(FILES, name))]);
  const others = { "/b/p/notes.txt": "", "/b/p/lastp_0.nc.dmrpp": "", "/b/p/deeper/x.nc": "", "/b/q/readme.txt": "" };
  server = await startRangeServer({ files: { ...Object.fromEntries(files), ...others }, lists: true });
});
afterAll(() => server.stop());
beforeEach(() => server.reset());

const open = (path: string, choice?: string, network = {}) =>
  openAny(
    { kind: "url", url: server.url(path) },
    { locations: NO_LOCATIONS, network, options: { choice }, context: CONTEXT, together },
  );

describe("an address of a folder of data files", () => {
  it("offers them, as one dataset too, without a look at any", async () => {
    const opened = await open("/b/p/");
    if (opened.kind !== "choose") throw new Error("It was opened.");
    expect(opened.choices.map(({ id }) => id)).toEqual([ALL_TOGETHER, ...NAMES.map((name) => `${name}\n`)]);
    expect(server.requests.filter(({ path }) => path.includes("lastp"))).toEqual([]);
  });

  it("opens the one that is chosen at its own address", async () => {
    const opened = await open("/b/p/", "lastp_1.nc\n");
    expect(opened).toMatchObject({ kind: "set", set: { url: server.url("/b/p/lastp_1.nc"), choice: undefined } });
    expect(await open("/b/p/*_2.nc")).toMatchObject({ kind: "set", set: { url: server.url("/b/p/lastp_2.nc") } });
  });

  it("opens all as one dataset, whose references name their addresses", async () => {
    const opened = await open("/b/p/", ALL_TOGETHER);
    if (opened.kind !== "set") throw new Error(opened.title);
    expect(opened.set.table.targets.text(0)).toBe(server.url("/b/p/lastp_0.nc"));
    expect((await readChunk(opened.set, "tas", [0, 0, 0], CONTEXT)).reading).toMatchObject({ outcome: "ok" });
  });

  it("reads them once: to open what was examined asks for none of them again", async () => {
    const network = {};
    const examined = await open("/b/p/", `${ALL_TOGETHER}?`, network);
    expect(examined).toMatchObject({
      together: { verdict: "yes", table: { rows: [{ name: server.url("/b/p/lastp_0.nc") }, {}, {}] } },
    });
    server.reset();
    const choice = examined.kind === "choose" ? examined.together?.choice : undefined;
    expect(await open("/b/p/", choice, network)).toMatchObject({ kind: "set" });
    expect(server.requests.filter(({ path }) => path.includes("lastp"))).toEqual([]);
  });

  it.each(["/b/q/", "/b/none/", "/b/p/*.json"])("%s is what it was before, where there are none", async (path) => {
    await expect(open(path)).rejects.toMatchObject({ code: "http-status" });
  });
});

describe("files that are listed", () => {
  const among = async (names: readonly string[], pattern: string, more = "") => {
    const contents = names.map((name) => `<Contents><Key>p/${name}</Key><Size>9</Size></Contents>`).join("");
    const fetch = () => Promise.resolve(new Response(`<ListBucketResult>${more}${contents}</ListBucketResult>`));
    const opening = { locations: NO_LOCATIONS, network: { http: { fetch } }, context: CONTEXT };
    return listedFiles(`s3://bucket/p/${pattern}`, opening);
  };

  it.each([
    ["", ["a1.nc", "a2.nc", "b 1.h5"]],
    ["*", ["a1.nc", "a2.nc", "b 1.h5"]],
    ["*.nc", ["a1.nc", "a2.nc"]],
    ["a*1*nc", ["a1.nc"]],
    ["*1.nc*.nc", undefined],
    ["a1.nc", undefined],
  ])("fit the pattern “%s”", async (pattern, expected) => {
    const files = await among(["a1.nc", "a2.nc", "b 1.h5", "c.txt"], pattern);
    expect(files?.list).toEqual(expected);
    if (pattern === "") expect(files?.urlOf?.("b 1.h5")).toBe("https://bucket.s3.amazonaws.com/p/b%201.h5");
  });

  it("are refused where there are more than are listed", async () => {
    const finding = { code: "too-many-files", facts: { limit: MOST_LISTED } };
    await expect(among([], "", "<IsTruncated>true</IsTruncated>")).rejects.toMatchObject({ finding });
  });
});

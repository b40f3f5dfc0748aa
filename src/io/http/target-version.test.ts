/** A target that is written while it is read. */
import { describe, expect, it } from "vitest";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { rejectionOf } from "#core/testing/rejection.ts";
import { openSources } from "../sources.ts";

const CONTEXT = { signal: new AbortController().signal, report: () => undefined };

type Said = Readonly<Record<string, string>>;

/** Two ranges of one target, one after another, by an open set. */
async function read(answers: readonly Said[], urls = ["https://data.example/a.nc", "https://data.example/a.nc"]) {
  let asked = 0;
  const fetch = () => {
    const { from = "", ...headers } = answers[asked++] ?? {};
    const response = new Response("0123", { status: 206, headers });
    return Promise.resolve(Object.defineProperty(response, "url", { value: from }));
  };
  const sources = openSources({
    ...NO_LOCATIONS,
    files: undefined,
    credentials: [],
    http: { fetch, attempts: 3 },
  });
  for (const [at, url] of urls.entries()) {
    const source = sources.sourceFor({ kind: "url", url, steps: [] } as never);
    await source.read({ offset: 10 * (at + 1), length: 4 }, CONTEXT);
  }
  return asked;
}

const range = (at: number, size: number | "*" = 100): Said => ({ "content-range": `bytes ${at}-${at + 3}/${size}` });
const [first, second] = [range(10), range(20)];

describe("a target that changes while it is read", () => {
  it.each<readonly [string, Said, Said, string]>([
    ["its size", first, range(20, 101), "size"],
    ["its ETag", { ...first, etag: '"a"' }, { ...second, etag: '"b"' }, "etag"],
    [
      "its time",
      { ...first, "last-modified": "Mon, 01 Jan 2024 00:00:00 GMT" },
      { ...second, "last-modified": "Mon, 01 Jan 2024 00:00:01 GMT" },
      "modified",
    ],
  ])("is named by %s, and not asked again", async (_, one, other, what) => {
    const error = await rejectionOf(read([one, other, other, other]));
    expect(error.finding).toMatchObject({ code: "source-changed", facts: { what } });
  });

  it.each<readonly [string, Said, Said]>([
    ["the same", { ...first, etag: '"a"' }, { ...second, etag: '"a"' }],
    ["a weak ETag", { ...first, etag: 'W/"a"' }, { ...second, etag: 'W/"b"' }],
    ["the ETag of what was compressed", { ...first, etag: '"a"' }, { ...second, etag: '"a-gzip"' }],
    ["what is said once", { ...first, etag: '"a"' }, second],
    ["a size that is not known", first, range(20, "*")],
    [
      "another mirror",
      { ...first, etag: '"a"', from: "https://one.example/a" },
      { ...second, etag: '"b"', from: "https://two.example/a" },
    ],
    [
      "another signature",
      { ...first, etag: '"a"', from: "https://one.example/a?s=1" },
      { ...second, etag: '"a"', from: "https://one.example/a?s=2" },
    ],
  ])("is none: %s", async (_, one, other) => {
    expect(await read([one, other])).toBe(2);
  });

  it("is none of another target", async () => {
    const answers = [
      { ...first, etag: '"a"' },
      { ...second, etag: '"b"' },
    ];
    expect(await read(answers, ["https://data.example/a.nc", "https://data.example/b.nc"])).toBe(2);
  });
});

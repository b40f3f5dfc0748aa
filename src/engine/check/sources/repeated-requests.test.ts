/** Refusals that were asked again and then answered are told; what was never refused, or never answered, is not. */
import { expect, it } from "vitest";
import { explained } from "#core/findings/explain.ts";
import { zarrayWith } from "#core/testing/zarr-documents.ts";
import { CONTEXT } from "#engine/fixtures/plain-table.ts";
import { openBehind, QUICK } from "../testing/open-with-targets.ts";
import type { Fetch } from "#io/http/http-target.ts";
import { together } from "../set-checks.ts";
import { checkSources } from "./check-sources.ts";

const REFS = {
  "a/.zarray": zarrayWith({ shape: [2], chunks: [1], dtype: "|V100", fill_value: null }),
  "a/0": ["https://data.example/a.nc?sig=SECRET", 0, 100],
  "a/1": ["https://data.example/b.nc", 0, 100],
};

async function checked(refuse: (count: number) => Response | Error | undefined) {
  let count = 0;
  const fetch: Fetch = async () => {
    const refused = refuse((count += 1));
    if (refused instanceof Error) throw refused;
    if (refused !== undefined) return refused;
    return new Response(new Uint8Array(100), { status: 206, headers: { "Content-Range": "bytes 0-99/100" } });
  };
  const set = await openBehind(REFS, "https://sets.example", { ...QUICK, fetch });
  const part = await checkSources(set, { limit: 10, written: 0 }, CONTEXT);
  return together(set, [part]).findings.filter(({ code }) => code === "requests-repeated");
}

const busy = () => new Response("", { status: 503 });

it("are counted, each attempt a request", async () => {
  const [found] = await checked((nth) => (nth === 1 || nth === 2 ? busy() : undefined));
  if (found === undefined) expect.fail("nothing was found");
  expect(found.facts).toEqual({ requests: 6, repeated: 2, statuses: [503], dropped: 0 });
  const { severity, message } = explained(found);
  expect([severity, message]).toEqual([
    "warning",
    "2 of 6 requests were refused with status 503, and answered only when repeated.",
  ]);
  expect(JSON.stringify(found)).not.toContain("SECRET");
});

it("are nothing where none was refused, or none was answered in the end", async () => {
  expect(await checked(() => undefined)).toEqual([]);
  expect(await checked(busy)).toEqual([]);
});

it("dropped connections count, too", async () => {
  const dropped = new TypeError("fetch failed", { cause: Object.assign(new Error(), { code: "ECONNRESET" }) });
  const [found] = await checked((nth) => (nth === 1 ? dropped : undefined));
  expect(found && explained(found).message).toMatch(/^1 of 5 requests was dropped, and answered only when repeated\.$/);
});

import { expect, it } from "vitest";
import { finding, type Finding } from "#core/findings/finding.ts";
import type { ReferencePages } from "#core/table/reference-pages.ts";
import { tableBuilder } from "#core/table/table-builder.ts";
import { arrayPages } from "./array-pages.ts";

const CONTEXT = { signal: new AbortController().signal, report: () => undefined };

it("tells findings in the order of the pages, whichever answers first", async () => {
  const pages: ReferencePages = {
    unit: "shard",
    words: ["shard index", "shard indexes"],
    count: 4,
    pageOf: (ordinal) => ordinal,
    visit: (page, see) => see(page),
    cellsOf: () => 1,
    async load(page) {
      await new Promise((done) => setTimeout(done, 20 * (4 - page)));
      return [finding("no-chunks", { kind: "key", key: String(page) }, {})];
    },
  };
  const all: Finding[] = [];
  const found = (findings: readonly Finding[]) => void all.push(...findings);
  const array = arrayPages(pages, { id: 0, table: tableBuilder(), cells: 4, changed: () => undefined, found });
  await array.load([0, 1, 2, 3], CONTEXT);
  expect(all.map(({ place }) => (place.kind === "key" ? place.key : undefined))).toEqual(["0", "1", "2", "3"]);
});

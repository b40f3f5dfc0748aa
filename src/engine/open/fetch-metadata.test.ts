import { expect, it } from "vitest";
import type { MetadataEntry } from "../../formats/kerchunk-json/index.ts";
import { CONTEXT } from "../fixtures/plain-table.ts";
import { fetchMetadata } from "./fetch-metadata.ts";
import { NO_LOCATIONS } from "../../core/location.ts";
import { targetReader } from "./target-reader.ts";

const entry = (key: string, target: string, row = 0): MetadataEntry => ({ key, row, value: { kind: "whole", target } });

it("takes what was fetched before by the same reference, and fetches the rest", async () => {
  const asked: string[] = [];
  const fetch = (url: string) => {
    asked.push(url);
    return Promise.resolve(new Response(`text of ${url}`));
  };
  const place = { base: { kind: "text" } as const, files: undefined, path: undefined };
  const targets = targetReader(place, NO_LOCATIONS, { http: { fetch } });
  const first = await fetchMetadata(
    [entry("a/.zarray", "https://example.org/a"), entry("b/.zarray", "https://example.org/b")],
    targets,
    CONTEXT,
  );
  expect(asked.toSorted()).toEqual(["https://example.org/a", "https://example.org/b"]);
  asked.length = 0;
  const changed = [entry("a/.zarray", "https://example.org/a"), entry("b/.zarray", "https://example.org/c")];
  const second = await fetchMetadata(changed, targets, CONTEXT, first.all);
  expect(asked).toEqual(["https://example.org/c"]);
  expect([...second.all.values()].map(({ text }) => text)).toEqual([
    "text of https://example.org/a",
    "text of https://example.org/c",
  ]);
});

import { expect, it } from "vitest";
import type { MetadataEntry } from "#formats/kerchunk-json/index.ts";
import { CONTEXT } from "../fixtures/plain-table.ts";
import { fetchMetadata } from "./fetch-metadata.ts";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { targetReader } from "../chunk/sources.ts";

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

it("refuses what is too large once its size shows: declared, or by the bytes so far", async () => {
  let pieces = 0;
  const piece = new Uint8Array(1 << 20);
  const fetch = (url: string) => {
    const body = new ReadableStream({
      pull(controller) {
        pieces += 1;
        controller.enqueue(piece.slice());
      },
    });
    const headers = new Headers(url.endsWith("declared") ? { "Content-Length": `${320 << 20}` } : {});
    return Promise.resolve(new Response(body, { headers }));
  };
  const place = { base: { kind: "text" } as const, files: undefined, path: undefined };
  const targets = targetReader(place, NO_LOCATIONS, { http: { fetch } });
  for (const [name, size] of [
    ["declared", 320 << 20],
    ["unsized", 65 << 20],
  ] as const) {
    pieces = 0;
    const { findings } = await fetchMetadata([entry("a/.zarray", `https://example.org/${name}`)], targets, CONTEXT);
    const cause = { code: "response-too-large", facts: { size, limit: 64 << 20 } };
    expect(findings).toMatchObject([{ code: "metadata-not-fetched", facts: { cause } }]);
    expect(pieces).toBeLessThan(name === "declared" ? 3 : 68);
  }
});

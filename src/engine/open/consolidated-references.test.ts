/** Kerchunk JSON whose arrays are only in `.zmetadata`: xarray opens by these, so the references are chunks. */
import { describe, expect, it } from "vitest";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { openAny } from "./open-any.ts";
import type { EngineSet } from "../engine-set.ts";
import { readChunk } from "../chunk/read-chunk.ts";

const CONTEXT = { signal: new AbortController().signal, report: () => undefined };
const ARRAY = { shape: [4], chunks: [2], dtype: "|u1", fill_value: 0, order: "C", compressor: null, filters: null };

async function open(refs: Readonly<Record<string, unknown>>): Promise<EngineSet> {
  const text = JSON.stringify({ version: 1, refs });
  const opening = { locations: NO_LOCATIONS, network: {}, options: {}, context: CONTEXT };
  const opened = await openAny({ kind: "text", text, name: "set.json" }, opening);
  if (opened.kind !== "set") throw new Error(opened.title);
  return opened.set;
}

const consolidated = (metadata: Readonly<Record<string, unknown>>) =>
  JSON.stringify({ zarr_consolidated_format: 1, metadata });

describe("an array that only .zmetadata describes", () => {
  it.each([["before"], ["after"]])("has its references as chunks, with the document %s them", async (place) => {
    const zmetadata = { ".zmetadata": consolidated({ "g/a/.zarray": { zarr_format: 2, ...ARRAY } }) };
    const chunks = { "g/a/0": "ab", "g/a/1": "cd" };
    const set = await open(place === "before" ? { ...zmetadata, ...chunks } : { ...chunks, ...zmetadata });
    expect(set.tally.states).toMatchObject({ inline: 2, missing: 0 });
    expect(set.findings.map(({ code }) => code)).not.toContain("key-without-array");
    const { reading } = await readChunk(set, "g/a", [1], CONTEXT);
    expect(reading).toMatchObject({ state: "inline", outcome: "ok", values: { raw: { minimum: "99" } } });
  });

  it("counts its chunks by its own .zarray where there is one", async () => {
    const own = JSON.stringify({ zarr_format: 2, ...ARRAY });
    const other = { zarr_format: 2, ...ARRAY, chunks: [1] };
    const set = await open({ ".zmetadata": consolidated({ "a/.zarray": other }), "a/.zarray": own, "a/0": "ab" });
    expect(set.tally.states).toMatchObject({ inline: 1, missing: 1 });
  });
});

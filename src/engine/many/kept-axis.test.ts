/** Coordinates that were read stay where their source is out of reach afterwards. */
import { expect, it } from "vitest";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { inThread } from "../chunk/chunk-decoder.ts";
import { CONTEXT } from "../fixtures/plain-table.ts";
import { openSet } from "../open/kerchunk-json/open-document.ts";
import { textDocument } from "../chunk/sources.ts";
import { axisOf } from "./axis.ts";

const ARRAY = { zarr_format: 2, shape: [4], chunks: [4], dtype: "<f8", compressor: null, filters: null, order: "C" };
const REFS = {
  ".zgroup": { zarr_format: 2 },
  "time/.zarray": { ...ARRAY, fill_value: null },
  "time/.zattrs": { _ARRAY_DIMENSIONS: ["time"] },
  "time/0": ["https://data.example/a.nc", 0, 32],
};

it("until the user points elsewhere", async () => {
  const bytes = new Uint8Array(Float64Array.of(1, 2, 3, 4).buffer);
  let answer: "bytes" | "none" | "other" = "bytes";
  const fetch = () => {
    if (answer === "none") return Promise.reject(new TypeError("fetch failed"));
    const headers = { "content-range": "bytes 0-31/32" };
    return Promise.resolve(new Response(answer === "bytes" ? bytes : bytes.subarray(0, 8), { status: 206, headers }));
  };
  const network = { http: { fetch, attempts: 1 } };
  const opening = { locations: NO_LOCATIONS, network, options: {}, context: CONTEXT };
  const opened = await openSet(textDocument(JSON.stringify({ version: 1, refs: REFS }), "x.json"), undefined, opening);
  if (opened.kind === "choose") throw new Error(opened.title);
  const { set } = opened;
  const node = set.hierarchy.nodes.get("time");
  if (node?.kind !== "array") throw new Error("no array");
  const axis = () => axisOf({ set, node, decoder: inThread, isPaid: true }, 0, CONTEXT);
  answer = "none";
  expect(await axis()).toMatchObject({ failed: { code: expect.any(String) as string } });
  set.targets.relocate(set.targets.locations, undefined);
  answer = "bytes";
  const values = { kind: "numbers", numbers: Float64Array.of(1, 2, 3, 4) };
  expect(await axis()).toMatchObject({ values });
  answer = "none";
  set.targets.relocate(set.targets.locations, undefined);
  const kept = await axis();
  expect(kept).toMatchObject({ values });
  expect(kept?.failed).toBeUndefined();
  // The error tells of bytes that came and are wrong.
  answer = "other";
  set.targets.relocate(set.targets.locations, undefined);
  expect((await axis())?.failed).toBeDefined();
  answer = "none";
  set.targets.relocate({ ...NO_LOCATIONS, region: "eu-west-1" }, undefined);
  expect((await axis())?.failed).toBeDefined();
});

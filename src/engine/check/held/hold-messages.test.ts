import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { fileOfBytes } from "#core/testing/file-of-bytes.ts";
import { indexBytes } from "#engine/open/data-file/open-data-file.ts";
import type { HeldFile } from "./held-files.ts";
import { holdArray } from "./hold-references.ts";

it("references to GRIB messages are held against the messages alone, however others arrange them", async () => {
  const name = "pressure_steps.grib2";
  const bytes = new Uint8Array(readFileSync(join(import.meta.dirname, "../../../formats/grib/fixtures", name)));
  const file = await indexBytes("grib", fileOfBytes(name, bytes));
  const held = { id: 0, target: name, file, rows: new Map() } as unknown as HeldFile;
  const node = { path: "t", metadata: { shape: [9, 12], chunks: [9, 12] } } as unknown as ArrayNode;
  const rows = [
    { row: 0, ordinal: 0, offset: 503, length: 503 },
    { row: 1, ordinal: 0, offset: 1006, length: 500 },
  ];
  const array = holdArray(held, node, rows);
  expect([...(array?.faults ?? [])]).toEqual([[rows[1], { kind: "length", has: 503 }]]);
  expect(array?.unnamed).toEqual([]);
});

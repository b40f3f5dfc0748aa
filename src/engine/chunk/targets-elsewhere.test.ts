/** Chunks whose bytes lie in archives, or in the URLs of their references. */
import { expect, it } from "vitest";
import { zarrayWith } from "#core/testing/zarr-documents.ts";
import { writeZip } from "#io/fixtures/zip-writer.ts";
import { openBeside } from "../check/testing/open-with-targets.ts";
import { CONTEXT } from "../fixtures/plain-table.ts";
import { readChunk } from "./read-chunk.ts";

const ZIP = writeZip([{ name: "in/data.bin", content: Uint8Array.from({ length: 16 }, (_, at) => at), method: 8 }]);

async function read(reference: readonly unknown[]) {
  const zarray = zarrayWith({ shape: [8], chunks: [8], dtype: "|u1", fill_value: 0 });
  const set = await openBeside({ "a/.zarray": zarray, "a/0": reference }, { "all.zip": ZIP });
  return readChunk(set, "a", [0], CONTEXT);
}

it("a file in an archive is read by the range within it", async () => {
  const { reading, values } = await read(["zip://in/data.bin::all.zip", 4, 8]);
  expect(reading).toMatchObject({
    outcome: "ok",
    findings: [],
    resolution: { kind: "member", path: "in/data.bin", archive: { kind: "file", path: "all.zip" } },
  });
  expect([...(values?.numbers ?? [])]).toEqual([4, 5, 6, 7, 8, 9, 10, 11]);
});

it("data are read out of the URL, as fsspec reads them", async () => {
  const { reading, values } = await read(["data:,%FF%FEabcdef", 2, 8]);
  expect(reading).toMatchObject({ outcome: "ok", resolution: { kind: "data" } });
  expect(reading.findings.map(({ code }) => code)).toEqual(["target-data-replaced"]);
  expect([...(values?.numbers ?? [])]).toEqual([0xbd, 0xef, 0xbf, 0xbd, 0x61, 0x62, 0x63, 0x64]);
  expect((await read(["data:,abc", 2, 8])).reading.findings[0]).toMatchObject({ code: "short-read" });
});

import { expect, it } from "vitest";
import { chunkAt } from "#core/findings/fact.ts";
import { tableBuilder } from "#core/table/table-builder.ts";
import { openManifest, readChunkColumns } from "#formats/icechunk/references.ts";
import { bytesOf, coordinates, manifestFile, table } from "#formats/icechunk/testing/flat-writer.ts";
import { testZstd } from "#formats/icechunk/testing/objects.ts";
import { addRows } from "./load-page.ts";

const BYTES = [undefined, undefined, undefined, undefined, undefined, undefined, undefined] as const;
/** Compressed with a dictionary that the manifest does not have. */
const compressed = (at: number) => table(coordinates(at), ...BYTES, bytesOf(Buffer.from(`frame ${at}`)));

async function added(references: Parameters<typeof manifestFile>[0], cells: number) {
  const manifest = await openManifest(manifestFile(references), "M", testZstd);
  const columns = readChunkColumns(manifest, manifest.arrays[0]!, [cells], []);
  const builder = tableBuilder();
  const array = builder.addArray("a", [cells], "/");
  const page = {
    columns: [columns],
    inOrder: true,
    eachRow: (see: (of: typeof columns, row: number) => void) => {
      for (let row = 0; row < columns.rows; row += 1) see(columns, row);
    },
  };
  const of = {
    path: "a",
    separator: "/",
    grid: [cells],
    configuration: { containers: [] } as never,
  } as const;
  return { found: addRows(page, of, { table: builder, array }), table: builder.build() };
}

it("a reference without chunk id, location and bytes is a bad row that says so", async () => {
  const { found, table: built } = await added([table(coordinates(1))], 2);
  expect(built.bad.get(0)?.reason.code).toBe("icechunk-reference-empty");
  expect(found).toMatchObject([{ code: "icechunk-reference-empty", place: chunkAt("a", [1]), count: 1 }]);
});

it("a manifest of which no location can be read is one finding, with its chunks", async () => {
  const { found, table: built } = await added([compressed(0), compressed(1), compressed(3)], 4);
  expect(built.bad.size).toBe(3);
  expect(found.filter(({ code }) => code === "icechunk-location-unreadable")).toMatchObject([
    {
      facts: { problem: "no-dictionary" },
      count: 3,
      place: { kind: "target", chunk: chunkAt("a", [0]) },
      places: { length: 3 },
      extent: { arrays: [{ array: "a", chunks: 3, from: [0], to: [3] }] },
    },
  ]);
});

import { expect, it } from "vitest";
import { tableBuilder } from "../../core/table-builder.ts";
import { openManifest, readChunkColumns } from "../../formats/icechunk/references.ts";
import { coordinates, manifestFile, table } from "../../formats/icechunk/testing/flat-writer.ts";
import { testZstd } from "../../formats/icechunk/testing/objects.ts";
import { addRows } from "./add-rows.ts";

it("a reference without chunk id, location and bytes is a bad row that says so", async () => {
  const manifest = await openManifest(manifestFile([table(coordinates(1))]), "M", testZstd);
  const columns = readChunkColumns(manifest, manifest.arrays[0]!, [2], []);
  const builder = tableBuilder();
  const array = builder.addArray("a", [2], "/");
  const page = {
    columns: [columns],
    inOrder: true,
    eachRow: (see: (of: typeof columns, row: number) => void) => see(columns, 0),
  };
  const of = {
    path: "a",
    separator: "/",
    grid: [2],
    configuration: { containers: [] } as never,
  } as const;
  addRows(page, of, { table: builder, array });
  expect(builder.build().bad.get(0)?.reason.code).toBe("icechunk-reference-empty");
});

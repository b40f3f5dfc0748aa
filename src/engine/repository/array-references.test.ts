/** The references of a page: which count where chunks come twice, and how many are looked through for that. */
import { expect, it } from "vitest";
import type { Extents } from "#formats/icechunk/index.ts";
import { openManifest } from "#formats/icechunk/references.ts";
import { bytesOf, coordinates, manifestFile, table } from "#formats/icechunk/testing/flat-writer.ts";
import { testZstd } from "#formats/icechunk/testing/objects.ts";
import { manifestColumns, readPage } from "./array-references.ts";
import { CONTEXT } from "./testing/open.ts";

/** The one that `manifestFile` writes. */
const NODE = "0W3GE1R70W3GE";

/** Opens manifests of inline chunks at these coordinates. */
function opener(files: Readonly<Record<string, readonly (readonly number[])[]>>) {
  const asked: string[] = [];
  const open = (id: string) => {
    asked.push(id);
    const refs = (files[id] ?? []).map((at) => table(coordinates(...at), bytesOf(Uint8Array.of(1))));
    return openManifest(manifestFile(refs), id, testZstd);
  };
  return { asked, open };
}

it("a stray reference hides no chunk, also where ordinals pass 2^32", async () => {
  const { open } = opener({ A: [[5], [4], [0, 0], [4_294_967_295], [5]] });
  const page = { manifests: [{ id: "A", extents: [] }], cells: 2 ** 33 };
  const references = await readPage({ node: NODE, grid: [2 ** 33], page }, open, CONTEXT);
  const seen: unknown[] = [];
  references.eachRow(({ strays, ordinal }, row) => seen.push(strays.get(row) ?? ordinal[row]));
  expect(seen).toEqual([5, 4, [0, 0], 4_294_967_295]);
  expect(references.inOrder).toBe(false);
});

it("a manifest that comes again with the same extents is read once, in its first place", async () => {
  const { asked, open } = opener({ A: [[0], [1]], B: [[1], [2]] });
  const extents = (from: number, to: number): Extents => [{ from, to }];
  const manifests = [
    { id: "A", extents: extents(0, 2) },
    { id: "B", extents: [] },
    { id: "A", extents: extents(0, 2) },
    { id: "A", extents: extents(1, 2) },
  ];
  const columns = await manifestColumns({ node: NODE, grid: [3], manifests }, open, CONTEXT);
  expect(asked).toEqual(["A", "B", "A"]);
  expect(columns.map(({ ordinal }) => [...ordinal])).toEqual([[0, 1], [1, 2], [1]]);
});

it("references that are too many to be looked through for repeats are refused, others not", async () => {
  const inOrder = Array.from({ length: 50 }, (_, at) => [at]);
  const { open } = opener({ A: inOrder, B: inOrder, C: inOrder.toReversed() });
  const columnsOf = (...ids: readonly string[]) => {
    const manifests = ids.map((id) => ({ id, extents: [] }));
    return manifestColumns({ node: NODE, grid: [50], manifests }, open, CONTEXT, 40);
  };
  expect(await columnsOf("A")).toHaveLength(1);
  for (const ids of [["A", "B"], ["C"]])
    await expect(columnsOf(...ids)).rejects.toMatchObject({ code: "icechunk-references-too-many" });
});

/** For tests: references to netCDF-4 files that lie in folders of fixtures. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { coordinatesOf } from "#core/metadata/chunk-grid.ts";
import type { SourceFile } from "#core/source-file.ts";
import { CONTEXT } from "#engine/fixtures/plain-table.ts";
import { indexFile } from "#engine/open/data-file/open-data-file.ts";
import { metadataDocuments } from "#engine/open/data-file/source-set.ts";
import { bytesSource } from "#io/file.ts";

export const HDF5 = join(import.meta.dirname, "../../../../formats/hdf5/fixtures");

export const bytesOf = (folder: string, name: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(join(folder, name)));

export type Refs = Record<string, string | [string, number, number]>;

/** References as Kerchunk writes them, with the chunks of later files along the first dimension. */
export async function references(
  files: readonly (readonly [folder: string, name: string])[],
  along = "",
): Promise<Refs> {
  const refs: Refs = {};
  const steps = new Map<string, number>();
  for (const [folder, name] of files) {
    const { file } = await indexFile(bytesSource(bytesOf(folder, name), name), false, CONTEXT);
    for (const [key, { text = "" }] of metadataDocuments(file)) refs[key] ??= text;
    addReferences(refs, file, name, steps, along);
  }
  const zarray = JSON.parse(String(refs[`${along}/.zarray`] ?? "{}")) as { shape: number[]; chunks: number[] };
  if (along !== "") {
    zarray.shape[0] = (steps.get(along) ?? 0) * (zarray.chunks[0] ?? 1);
    refs[`${along}/.zarray`] = JSON.stringify(zarray);
  }
  return refs;
}

function addReferences(refs: Refs, { arrays }: SourceFile, name: string, steps: Map<string, number>, along: string) {
  for (const { path, shape, chunks, references: own } of arrays) {
    if (path !== along && refs[`${path}/${shape.map(() => 0).join(".")}`] !== undefined) continue;
    const grid = shape.map((size, axis) => Math.ceil(size / (chunks[axis] ?? 1)));
    const first = path === along ? (steps.get(path) ?? 0) : 0;
    for (let at = 0; at < own.count; at += 1) {
      const coordinates = coordinatesOf(grid, own.ordinal[at] ?? 0).map((one, axis) => one + (axis === 0 ? first : 0));
      refs[`${path}/${coordinates.join(".") || "0"}`] = [name, own.offset[at] ?? 0, own.length[at] ?? 0];
    }
    if (path === along) steps.set(path, first + (grid[0] ?? 0));
  }
}

/** Nothing is said of references or declarations where a data file was opened itself: it has none of another's. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { explained } from "#core/findings/explain.ts";
import { bytesSource } from "#io/file.ts";
import { inThread } from "../chunk/chunk-decoder.ts";
import { indexFile } from "../open/data-file/open-data-file.ts";
import { openAny } from "../open/open-any.ts";
import { context } from "../repair/suggest/testing/damaged-set.ts";
import { checkSet } from "./check-set.ts";

const HDF5 = join(import.meta.dirname, "../../formats/hdf5/fixtures");
const bytesOf = (name: string) => new Uint8Array(readFileSync(join(HDF5, name)));

async function check(name: string, bytes: Uint8Array<ArrayBuffer>) {
  const network = { http: { fetch: () => Promise.reject(new Error("There is no network.")), attempts: 1 } };
  const opened = await openAny(
    { kind: "files", files: [{ path: name, blob: new Blob([bytes]) }] },
    { locations: NO_LOCATIONS, network, options: {}, context: context() },
  );
  if (opened.kind !== "set") throw new Error(opened.title);
  const asking = { decoder: inThread, deep: { chunks: "all" } } as const;
  return (await checkSet(opened.set, asking, context())).findings;
}

it("chunks that were never written are no references that are missing, and made up names no dimensions", async () => {
  const missing = (await check("extensible_array.h5", bytesOf("extensible_array.h5"))).filter(
    ({ code }) => code === "chunks-missing",
  );
  expect(missing.length).toBeGreaterThan(0);
  for (const found of missing) {
    const { title, message, remedy } = explained(found);
    const text = [title, message, remedy].join(" ");
    expect(text).toContain("never written");
    expect(text).not.toMatch(/phony_dim|reference|lost/);
  }
});

it("chunks that do not decode are told one by one, not as another file's or as wrongly declared", async () => {
  const bytes = bytesOf("netcdf4_grid.nc");
  const { file } = await indexFile(bytesSource(bytes, "grid.nc"), false, context());
  const { references } = file.arrays.find(({ path }) => path === "tas") ?? {};
  for (let at = 0; at < (references?.count ?? 0) - 4; at += 1)
    bytes.fill(7, references?.offset[at], (references?.offset[at] ?? 0) + 9);
  const failed = (await check("grid.nc", bytes)).filter(
    ({ place }) => place.kind === "chunk" || place.kind === "target",
  );
  expect(new Set(failed.map(({ code }) => code))).toEqual(new Set(["decode-failed"]));
});

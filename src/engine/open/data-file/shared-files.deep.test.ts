/**
 * All NetCDF-3 and GRIB files that lie beside the project: indexed, with every reference inside its file; and damaged
 * ones.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { codesOfDamaged, fileOfBytes } from "#core/testing/file-of-bytes.ts";
import { indexBytes } from "./open-data-file.ts";
import { kindOfFile } from "./kinds.ts";

const SHARED = resolve(import.meta.dirname, "../../../..", process.env["REFSCOPE_SHARED"] ?? "../shared");
const areThere = existsSync(join(SHARED, "fixtures"));

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : entry.isFile() ? [path] : [];
  });
}
/** Those that are read by what they are, and what is said of them. */
async function readAll(kind: "netcdf3" | "grib") {
  const read = { files: 0, references: 0, outside: [] as string[], codes: new Set<string>() };
  for (const path of ["fixtures", "corpus"].flatMap((folder) => filesBelow(join(SHARED, folder)))) {
    const bytes = new Uint8Array(readFileSync(path));
    if (kindOfFile(bytes.subarray(0, 2056)) !== kind) continue;
    const { arrays, findings } = await indexBytes(kind, fileOfBytes(path, bytes));
    read.files += 1;
    for (const { code } of findings) read.codes.add(code);
    for (const { references, path: array } of arrays) {
      read.references += references.count;
      const ends = references.offset.map((offset, at) => offset + (references.length[at] ?? 0));
      if (ends.some((end) => end > bytes.length)) read.outside.push(`${path} ${array}`);
    }
  }
  return read;
}

interface Reference {
  readonly refs: Readonly<Record<string, unknown>>;
}

describe("10,000 damaged files", () => {
  it.each(["netcdf3", "grib", "dmrpp"] as const)(
    "of %s end by name, in less than a second each",
    { timeout: 120_000 },
    async (kind) => {
      const folder = join(import.meta.dirname, "../../../formats", kind, "fixtures");
      const names = readdirSync(folder).filter((name) => /\.(?:nc|grib2|dmrpp)$/.test(name));
      const files = names.map((name) => [name, new Uint8Array(readFileSync(join(folder, name)))] as const);
      const { codes, longest } = await codesOfDamaged(files, 10_000, (file) => indexBytes(kind, file));
      expect(codes.filter((code) => !["data-file-cut", "data-file-damaged", "fine"].includes(code))).toEqual([]);
      expect(longest).toBeLessThan(1000);
    },
  );
});

describe.skipIf(!areThere)("data files beside the project", () => {
  it("of NetCDF-3 are all read", async () => {
    const { files, references, outside, codes } = await readAll("netcdf3");
    expect(files).toBeGreaterThanOrEqual(15);
    expect(references).toBeGreaterThan(files);
    expect([outside, [...codes]]).toEqual([[], ["kerchunk-would-write"]]);
  });

  it("of GRIB are all read", async () => {
    const { files, references, outside, codes } = await readAll("grib");
    expect(files).toBeGreaterThanOrEqual(115);
    expect(references).toBeGreaterThan(files);
    expect([outside, [...codes].toSorted()]).toEqual([[], ["grib-several-fields", "kerchunk-would-write"]]);
  });

  it("have the messages that Kerchunk's references to them have, but for edition 1", async () => {
    const folder = join(SHARED, "corpus/gen-grib");
    for (const name of ["gec00_soilw.grib", "CMC_reg_DEPR_ISBL_10_ps10km_2022072000_P000.grib2"]) {
      const { structures } = await indexBytes(
        "grib",
        fileOfBytes(name, new Uint8Array(readFileSync(join(folder, name)))),
      );
      const sets: readonly Reference[] = JSON.parse(readFileSync(join(folder, `${name}.messages.json`), "utf8"));
      const published = sets.flatMap(({ refs }) => Object.values(refs).filter(Array.isArray));
      const places = new Set(published.map(([, offset, length]) => `${offset} ${length}`));
      expect(new Set(structures.map(({ offset, length }) => `${offset} ${length}`))).toEqual(places);
    }
  });
});

/** What a source file says besides its chunks: variables that were left out, and values that the set has inline. */
import { expect, it } from "vitest";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { explained } from "#core/findings/explain.ts";
import { inThread } from "#engine/chunk/chunk-decoder.ts";
import { CONTEXT } from "#engine/fixtures/plain-table.ts";
import { openFiles } from "#engine/open/open-any.ts";
import { droppedFiles } from "#io/local-files.ts";
import { checkSet } from "../check-set.ts";
import { bytesOf, HDF5, references, type Refs } from "../held/testing/file-references.ts";

const NAME = "netcdf4_grid.nc";

/** Of the file, with these entries in place of its own; `undefined` = without them. */
async function told(change: (refs: Refs) => Refs, least: "info" | "warning" = "warning", name = NAME) {
  const refs = change(await references([[HDF5, name]]));
  const blob = new Blob([bytesOf(HDF5, name)]);
  const document = { path: "refs.json", blob: new Blob([JSON.stringify({ version: 1, refs })]) };
  const network = { http: { fetch: () => Promise.reject(new Error("There is no network.")), attempts: 1 } };
  const opening = { locations: NO_LOCATIONS, network, options: {}, context: CONTEXT };
  const opened = await openFiles(droppedFiles([document, { path: name, blob }]), opening);
  if (opened.kind !== "set") throw new Error(opened.title);
  const { findings } = await checkSet(opened.set, { decoder: inThread, sources: { limit: 10, isHere: true } }, CONTEXT);
  return findings.flatMap((found) => {
    const { severity, message } = explained(found);
    const isMeant = severity !== "info" || (least === "info" && found.code === "variable-left-out");
    return isMeant ? [`${severity} ${found.code}: ${message}`] : [];
  });
}

const without = (name: string) => (refs: Refs) =>
  Object.fromEntries(Object.entries(refs).filter(([key]) => !key.startsWith(`${name}/`)));

it("a set with all variables of the file lacks none", async () =>
  expect(await told((refs) => refs, "info")).toEqual([]));

it("a variable that another one names is missing where it was left out", async () => {
  expect(await told(without("height"))).toEqual([
    "warning variable-left-out: “netcdf4_grid.nc” has “height” ([], <f8), which the dataset lacks although tas names it in coordinates: it was left out when the references were made.",
  ]);
});

it("one that none names is worth a note", async () => {
  expect(await told(without("crs"))).toEqual([]);
  expect(await told(without("crs"), "info")).toMatchObject([/^info variable-left-out: .* lacks: “crs”\.$/]);
});

it("a number that the set has inline is that of the file", async () => {
  const inline = (value: number) => (refs: Refs) => ({
    ...refs,
    "height/0": `base64:${Buffer.from(Float64Array.of(value).buffer).toString("base64")}`,
  });
  expect(await told(inline(2))).toEqual([]);
  expect(await told(inline(10))).toMatchObject([/^\w+ statements-disagree: .*10.*2/]);
});

it("a number that has no reference is not its fill value, where the file has it", async () => {
  const left = (fill: number) => (refs: Refs) => {
    const { "height/0": _, ...others } = refs;
    const zarray = JSON.stringify({ ...(JSON.parse(String(refs["height/.zarray"])) as object), fill_value: fill });
    const zattrs = JSON.stringify({ _ARRAY_DIMENSIONS: [], units: "m" });
    return { ...others, "height/.zarray": zarray, "height/.zattrs": zattrs };
  };
  expect(await told(left(2))).toEqual([]);
  expect(await told(left(0))).toMatchObject([
    /^warning statements-disagree: fill_value says 0, .* says 2\. It has no reference/,
  ]);
});

const inlined = (key: string, values: readonly number[]) => (refs: Refs) => ({
  ...refs,
  [key]: `base64:${Buffer.from(Float32Array.from(values).buffer).toString("base64")}`,
});

it("a coordinate of a dimension is missing where it was left out", async () => {
  expect(await told(without("lat"))).toMatchObject([/lacks although mask names it in _ARRAY_DIMENSIONS/]);
});

it("values of a coordinate that was inlined are those of the file, and its calendar is", async () => {
  const lat = Array.from({ length: 18 }, (_, at) => 10 * at - 85);
  expect(await told(inlined("lat/0", lat))).toEqual([]);
  expect(await told(inlined("lat/0", lat.toReversed()))).toMatchObject([/run in opposite directions/]);
  const calendar = (name: string) => (refs: Refs) => {
    const [, offset, length] = refs["time/0"] as [string, number, number];
    const stored = Buffer.from(bytesOf(HDF5, NAME)).subarray(offset, offset + length);
    const attributes = { ...(JSON.parse(String(refs["time/.zattrs"])) as object), calendar: name };
    const own = { "time/0": `base64:${stored.toString("base64")}`, "time/.zattrs": JSON.stringify(attributes) };
    return { ...refs, ...own };
  };
  expect(await told(calendar("365_day"))).toEqual([]);
  expect(await told(calendar("standard"))).toMatchObject([/calendar says standard, the source file .* says noleap/]);
});

it("texts that were inlined are those of the file", async () => {
  const texts = (change: (all: string[]) => string[]) => (refs: Refs) => {
    const [, offset, length] = refs["fixed/0"] as [string, number, number];
    const stored = Buffer.from(bytesOf(HDF5, "strings.h5")).subarray(offset, offset + length);
    const all = Array.from({ length: 6 }, (_, at) => stored.toString("latin1", 40 * at, 40 * at + 40));
    const bytes = Buffer.from(change(all).join(""), "latin1");
    return { ...refs, "fixed/0": `base64:${bytes.toString("base64")}` };
  };
  const ofFixed = (all: readonly string[]) => all.filter((one) => one.includes("fixed"));
  expect(
    ofFixed(
      await told(
        texts((all) => all),
        "warning",
        "strings.h5",
      ),
    ),
  ).toEqual([]);
  const swapped = texts((all) => all.with(3, all[5] ?? "").with(5, all[3] ?? ""));
  expect(ofFixed(await told(swapped, "warning", "strings.h5"))).toMatchObject([/positions 3 and 5 are exchanged/]);
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import type { Together } from "#core/check/preflight.ts";
import { droppedFiles } from "#io/local-files.ts";
import { openFiles } from "../open/open-any.ts";
import { referenceSnippet } from "../open/reference-snippet.ts";
import { openTogether } from "./open-together.ts";
import { readChunk } from "../chunk/read-chunk.ts";

const FILES = join(import.meta.dirname, "fixtures/files");
const CONTEXT = { signal: new AbortController().signal, report: () => undefined };
const network = { http: { fetch: () => Promise.reject(new Error("There is no network.")), attempts: 1 } };

const blobsOf = (names: readonly string[]) =>
  names.map((path) => ({ path, blob: new Blob([new Uint8Array(readFileSync(join(FILES, path)))]) }));

const open = (names: readonly string[], choice?: string, blobs = blobsOf(names)) =>
  openFiles(droppedFiles(blobs), {
    locations: NO_LOCATIONS,
    network,
    options: { choice },
    context: CONTEXT,
    together: openTogether,
  });

async function examined(names: readonly string[], choice = "\ntogether?"): Promise<Together> {
  const opened = await open(names, choice);
  if (opened.kind !== "choose" || opened.together === undefined) throw new Error("It was not examined.");
  return opened.together;
}

/** Rows of the table, marks by the first letter of their severity. */
const rowsOf = ({ table }: Together) =>
  table.rows.map(({ name, cells }) => [name, ...cells.map(([text, mark = ""]) => `${text} ${mark[0] ?? ""}`.trim())]);

describe("data files that are given together", () => {
  it("are offered as one dataset, and opened as that", async () => {
    const names = ["lastp_0.nc", "lastp_1.nc", "lastp_2.nc"];
    const offered = await open(names);
    if (offered.kind !== "choose") throw new Error("They were opened.");
    expect(offered.title).toBe("3 of these can be opened");
    const [all] = offered.choices;
    expect(all?.label).toBe("All 3 as one dataset");
    const opened = await open(names, all?.id);
    if (opened.kind !== "set") throw new Error(opened.title);
    expect(opened.set.hierarchy.nodes.get("tas")).toMatchObject({ metadata: { shape: [11, 6, 8] } });
    const { reading } = await readChunk(opened.set, "tas", [0, 0, 0], CONTEXT);
    expect(reading).toMatchObject({ outcome: "ok" });
    // It lies nowhere yet.
    for (const form of [undefined, "long"] as const)
      expect(referenceSnippet(opened.set, form)).toContain("# Export first");
  });

  it("are examined first: what differs has a column, what all have is said once", async () => {
    const together = await examined(["lastp_0.nc", "lastp_1.nc", "lastp_2.nc"]);
    expect(together).toMatchObject({ verdict: "yes", along: "time", dimensions: ["lat", "lon", "time"] });
    expect(together.table).toMatchObject({
      alike: [
        "format: NetCDF-4, superblock 2",
        "variables: tas",
        "type of tas: float32",
        "chunks of tas: 2 × 6 × 8",
        "codecs of tas: shuffle + zlib level 4",
      ],
      columns: ["time", "Steps"],
      left: 0,
    });
    expect(rowsOf(together)[2]).toEqual(["lastp_2.nc", "2020-01-01 08:00:00 to 2020-01-01 10:00:00", "3"]);
  });

  it("are not read again to be opened, or examined along another dimension", async () => {
    const names = ["re_r01.nc", "re_r02.nc", "re_r03.nc"];
    const slice = vi.spyOn(Blob.prototype, "slice");
    const { findings, again } = await examined(names);
    expect(findings.map(({ code }) => code)).toEqual(["coordinate-duplicate"]);
    expect(slice).toHaveBeenCalled();
    slice.mockClear();
    const { verdict, how, choice, ...rest } = await examined(names, `${again}run`);
    const runs = [1, 2, 3].map((run) => [`re_r0${run}.nc`, String(run)]);
    expect([verdict, how, rowsOf({ verdict, how, choice, ...rest })]).toEqual(["yes", "stack", runs]);
    const stacked = await open(names, choice);
    expect(stacked).toMatchObject({ kind: "set" });
    expect(slice).not.toHaveBeenCalled();
    const dropped = await examined(names, `${again}${JSON.stringify({ along: "run", drop: ["tas"] })}`);
    expect([dropped.verdict, dropped.asked.drop, dropped.how]).toEqual(["yes", ["tas"], "stack"]);
    const units = ["unitscf_0.nc", "unitscf_1.nc"];
    const written = (await examined(units)).choice;
    slice.mockClear();
    expect(await open(units, written)).toMatchObject({ kind: "set" });
    expect(slice).not.toHaveBeenCalled();
    slice.mockRestore();
  });

  it("are not opened where something stands against it: whose cell it is is marked", async () => {
    const packed = await examined(["pack_0.nc", "pack_1.nc"], "\ntogether");
    expect([packed.verdict, packed.table.columns[1]]).toEqual(["no", "Packing of tas"]);
    expect(rowsOf(packed).map((row) => row[2])).toEqual([
      "scale_factor 0.1, add_offset 0",
      "scale_factor 0.01, add_offset 273.15 e",
    ]);
    const inside = await examined(["midp_0.nc", "midp_1.nc", "midp_2.nc"]);
    expect(rowsOf(inside).map((row) => row[2])).toEqual(["4", "3 e", "4"]);
    const units = await examined(["unitscf_0.nc", "unitscf_1.nc"]);
    expect([units.verdict, rowsOf(units)[1]?.[2]]).toEqual(["if", "hours since 2020-01-02 w"]);
    const other = await examined(["lat_0.nc", "lat_1.nc"]);
    expect(rowsOf(other).map((row) => row[2])).toEqual(["10 to 15", "11 to 16 e"]);
  });

  it("are put side by side where each has variables of its own", async () => {
    const merged = await examined(["mv_tas.nc", "mv_pr.nc"]);
    expect([merged.verdict, merged.how, merged.table.columns]).toEqual(["yes", "merge", ["Variables"]]);
    expect(rowsOf(merged).map((row) => row[1])).toEqual(["pr", "tas"]);
  });

  it("that fit are opened without the others, which are listed with what keeps them out", async () => {
    const names = ["midp_0.nc", "midp_1.nc", "midp_2.nc"];
    const { fit, groups } = await examined(names);
    expect([groups, fit?.count]).toEqual([[], 2]);
    expect(fit?.left.map(({ barrier, files }) => [barrier.code, files])).toEqual([
      ["partial-chunk-inside", ["midp_1.nc"]],
    ]);
    const opened = await open(names, fit?.choice);
    if (opened.kind !== "set") throw new Error(opened.title);
    expect(opened.set.hierarchy.nodes.get("tas")).toMatchObject({ metadata: { shape: [8, 6, 8] } });
    // Nothing is left to combine.
    expect((await examined(["pack_0.nc", "pack_1.nc"])).fit).toBeUndefined();
    expect((await examined(["lastp_0.nc", "lastp_1.nc"])).fit).toBeUndefined();
  });

  it("are sorted into kinds, each of which can be examined and opened on its own", async () => {
    const names = ["lastp_0.nc", "lastp_1.nc", "mv_pr.nc", "lastp_2.nc", "re_r01.nc", "re_r02.nc"];
    const all = await examined(names);
    expect(all.groups).toEqual([
      { name: "lastp_0.nc …", count: 3 },
      { name: "re_r01.nc …", count: 2 },
      { name: "pr", count: 1 },
    ]);
    expect([all.verdict, all.fit?.count]).toEqual(["no", 3]);
    const one = await examined(names, `${all.again}${JSON.stringify({ group: 0 })}`);
    expect([one.verdict, one.count, rowsOf(one).map(([name]) => name)]).toEqual([
      "yes",
      3,
      ["lastp_0.nc", "lastp_1.nc", "lastp_2.nc"],
    ]);
    expect(await open(names, one.choice)).toMatchObject({ kind: "set" });
    const members = await examined(names, `${all.again}${JSON.stringify({ group: 1, along: "run" })}`);
    expect([members.verdict, members.how, members.count]).toEqual(["yes", "stack", 2]);
  });
});

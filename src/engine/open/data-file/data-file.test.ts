import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fileBytes, LOCAL } from "#core/file-bytes.ts";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { droppedFiles } from "#io/local-files.ts";
import { openAny, openFiles } from "../open-any.ts";
import { layoutOf } from "#engine/sources/file-layout.ts";
import { dataFileSnippet, indexFile } from "./open-data-file.ts";

const CONTEXT = { signal: new AbortController().signal, report: () => undefined };
const FIXTURES = join(import.meta.dirname, "../../../formats/hdf5/fixtures");
const bytesOf = (name: string, format = "hdf5") =>
  new Uint8Array(readFileSync(join(FIXTURES, "../..", format, "fixtures", name)));

async function opened(name: string, format = "hdf5", beside: readonly (readonly [string, string])[] = []) {
  const others = beside.map(([path, text]) => ({ path, blob: new Blob([text]) }));
  const files = droppedFiles([{ path: name, blob: new Blob([bytesOf(name, format)]) }, ...others]);
  const network = { http: { fetch: () => Promise.reject(new Error("There is no network.")), attempts: 1 } };
  const set = await openFiles(files, { locations: NO_LOCATIONS, network, options: {}, context: CONTEXT });
  if (set.kind !== "set") throw new Error(set.title);
  return set.set;
}

describe("a data file", () => {
  it("that is dropped is a set of its own", async () => {
    const set = await opened("netcdf4_grid.nc");
    expect(set.format).toMatchObject({ kind: "data-file", label: "NetCDF-4, superblock 2" });
    expect([...set.hierarchy.nodes.keys()]).toEqual(["", "crs", "height", "lat", "lon", "mask", "tas", "time"]);
    expect(set.tally.states).toMatchObject({ range: 30, missing: 1, bad: 0 });
  });

  it.each([
    [
      "classic.nc",
      "netcdf3",
      "NetCDF-3, classic",
      { range: 39, missing: 0 },
      ["scaling-confusing"],
      'xr.open_dataset("classic.nc"',
    ],
    [
      "surface.grib2",
      "grib",
      "GRIB edition 2",
      { range: 4, inline: 8, missing: 0 },
      [],
      'cfgrib.open_datasets("surface.grib2")',
    ],
    ["netcdf4_grid.nc.dmrpp", "dmrpp", "DMR++", { range: 30, missing: 0 }, [], 'xr.open_dataset("netcdf4_grid.nc"'],
  ])("%s opens by its first bytes", async (name, format, label, states, codes, python) => {
    const set = await opened(name, format);
    expect(set.format).toMatchObject({ kind: "data-file", label });
    expect(set.tally.states).toMatchObject({ ...states, bad: 0 });
    expect(set.findings.map(({ code }) => code)).toEqual(codes);
    expect(dataFileSnippet(set)).toContain(python);
  });

  it("of GRIB is held against the index that is given with it", async () => {
    const right = new TextDecoder().decode(bytesOf("surface.grib2.idx", "grib"));
    const codes = async (text: string) => {
      const set = await opened("surface.grib2", "grib", [["surface.grib2.idx", text]]);
      return set.findings.map(({ code }) => code);
    };
    expect(await codes(right)).toEqual([]);
    expect(await codes(right.replace(":503:", ":500:"))).toEqual(["grib-index-stale"]);
  });

  it("of GRIB, far away, has its messages fetched together where an index lies beside it", async () => {
    // Messages with 20 kB of nothing behind each.
    const once = bytesOf("surface.grib2", "grib");
    const lines = new TextDecoder().decode(bytesOf("surface.grib2.idx", "grib")).trim().split("\n");
    const starts = lines.map((line) => Number(line.split(":")[1]));
    const far = starts.map((start, at) => start + at * 20_000);
    const file = new Uint8Array(once.length + starts.length * 20_000);
    for (const [at, start] of starts.entries()) file.set(once.subarray(start, starts[at + 1]), far[at]);
    const index = lines.map((line, at) => line.replace(/:\d+:/, `:${far[at]}:`)).join("\n");
    const read = async (served: string | undefined) => {
      const ranges: string[] = [];
      const fetch = async (url: string | URL, init?: RequestInit): Promise<Response> => {
        ranges.push(new Headers(init?.headers).get("range") ?? "");
        const isIndex = String(url).endsWith(".idx?sig=1");
        if (String(url).includes(".index") || (isIndex && served === undefined))
          return new Response(null, { status: 404 });
        if (isIndex) return new Response(served);
        const [, from = "0", to = ""] = /bytes=(\d+)-(\d*)/.exec(new Headers(init?.headers).get("range") ?? "") ?? [];
        const end = to === "" ? file.length : Math.min(Number(to) + 1, file.length);
        const headers = { "content-range": `bytes ${from}-${end - 1}/${file.length}` };
        return new Response(file.slice(Number(from), end), { status: 206, headers });
      };
      const opening = {
        locations: NO_LOCATIONS,
        network: { http: { fetch, attempts: 1 } },
        options: {},
        context: CONTEXT,
      };
      const set = await openAny({ kind: "url", url: "https://data.example/surface.grib2?sig=1" }, opening);
      if (set.kind !== "set") throw new Error(set.title);
      return { ranges, states: set.set.tally.states, codes: set.set.findings.map(({ code }) => code) };
    };
    const [without, right, page] = [await read(undefined), await read(index), await read("<html>Not found</html>")];
    expect(right.states).toEqual(without.states);
    // Those that do not come with the first.
    expect(right.ranges).toContain("bytes=20480-62463");
    expect([without.codes, right.codes, page.codes]).toEqual([[], [], []]);
    expect((await read(index.replace(`:${far[1]}:`, ":500:"))).codes).toEqual(["grib-index-stale"]);
  });

  it("beside which its chunks are described points where that says", async () => {
    const set = await opened("odd.h5.dmrpp", "dmrpp");
    const { targets } = set.table;
    const texts = Array.from({ length: targets.count }, (_, id) => targets.text(id));
    expect(texts).toEqual(["https://data.example/granules/odd.h5", "odd_mvs.h5"]);
  });

  it("takes for missing only what its attributes say, and knows whose its structures are", async () => {
    const bytes = new Uint8Array(readFileSync(join(import.meta.dirname, "../../../../public/samples/ocean-a.nc")));
    const files = droppedFiles([{ path: "ocean-a.nc", blob: new Blob([bytes]) }]);
    const network = { http: { fetch: () => Promise.reject(new Error("There is no network.")), attempts: 1 } };
    const found = await openFiles(files, { locations: NO_LOCATIONS, network, options: {}, context: CONTEXT });
    if (found.kind !== "set") throw new Error(found.title);
    const { hierarchy, sourceFile, fileReading } = found.set;
    const isFillOnly = (path: string) => {
      const node = hierarchy.nodes.get(path);
      return node?.kind === "array" ? node.metadata.isFillOnly : "no array";
    };
    expect([isFillOnly("mask"), isFillOnly("sst")]).toEqual([true, undefined]);
    const structures = sourceFile?.structures ?? [];
    expect(structures.filter(({ path }) => path === "sst").map(({ kind }) => kind)).toContain("B-tree node");
    expect(structures.every(({ offset, length }, at) => offset + length <= (structures[at + 1]?.offset ?? 1e9))).toBe(
      true,
    );
    const layout = sourceFile && layoutOf(sourceFile, bytes.length);
    expect(layout).toMatchObject({ structures: structures.length, places: 7, page: 32_768 });
    expect((await fileReading?.traffic(CONTEXT))?.requests).toBeLessThanOrEqual(12);
  });

  it("has chunks that were stored without a filter inline, encoded as the others are", async () => {
    const set = await opened("filter_masks_latest.h5");
    expect(set.tally.states.inline).toBeGreaterThan(0);
    expect(set.findings.some(({ code }) => code === "hdf5-filter-mask")).toBe(true);
  });

  it("far away may be shorter than what is looked at first", async () => {
    const bytes = bytesOf("classic.nc", "netcdf3");
    const fetch = (_url: string, init?: RequestInit): Promise<Response> => {
      if (init?.method === "HEAD")
        return Promise.resolve(new Response(null, { headers: { "content-length": `${bytes.length}` } }));
      const [, from, to] = /bytes=(\d+)-(\d+)/.exec(new Headers(init?.headers).get("range") ?? "") ?? [];
      const end = Math.min(bytes.length, Number(to) + 1);
      const headers = { "content-range": `bytes ${from}-${end - 1}/${bytes.length}` };
      return Promise.resolve(new Response(bytes.slice(Number(from), end), { status: 206, headers }));
    };
    const network = { http: { fetch, attempts: 1 } };
    const url = "https://data.example/classic.nc";
    const opened = await openAny(
      { kind: "url", url },
      { locations: NO_LOCATIONS, network, options: {}, context: CONTEXT },
    );
    expect(opened).toMatchObject({ kind: "set", set: { format: { label: "NetCDF-3, classic" } } });
  });

  it("is asked for its size where a server does not say it", async () => {
    const url = "https://data.example/ocean.nc";
    const bytes = bytesOf("netcdf4_grid.nc");
    const fetch = (_url: string, init?: RequestInit): Promise<Response> => {
      const [, from = "0", to = ""] = /bytes=(\d+)-(\d+)/.exec(new Headers(init?.headers).get("range") ?? "") ?? [];
      const part = bytes.slice(Number(from), Number(to) + 1);
      return Promise.resolve(
        new Response(init?.method === "HEAD" ? null : part, { status: init?.method === "HEAD" ? 200 : 206 }),
      );
    };
    const network = { http: { fetch, attempts: 1 } };
    const opening = openAny({ kind: "url", url }, { locations: NO_LOCATIONS, network, options: {}, context: CONTEXT });
    await expect(opening).rejects.toMatchObject({ code: "data-file-size-unknown" });
  });

  it("is opened from an address under any ending, its size asked for", async () => {
    const bytes = bytesOf("netcdf4_grid.nc");
    const fetch = (_url: string, init?: RequestInit): Promise<Response> => {
      const range = /bytes=(\d+)-(\d+)/.exec(new Headers(init?.headers).get("range") ?? "");
      const headers = { "content-length": String(bytes.length) };
      if (init?.method === "HEAD") return Promise.resolve(new Response(null, { status: 200, headers }));
      if (range === null) return Promise.resolve(new Response(bytes, { status: 200, headers }));
      return Promise.resolve(new Response(bytes.slice(Number(range[1]), Number(range[2]) + 1), { status: 206 }));
    };
    const url = "https://data.example/ocean.swath";
    const options = {
      locations: NO_LOCATIONS,
      network: { http: { fetch, attempts: 1 } },
      options: {},
      context: CONTEXT,
    };
    const opened = await openAny({ kind: "url", url }, options);
    expect(opened.kind === "set" && opened.set.format.kind).toBe("data-file");
    const traffic = opened.kind === "set" ? await opened.set.fileReading?.traffic(CONTEXT) : undefined;
    expect(traffic?.requests).toBeGreaterThan(0);
  });

  it("is refused where more than a budget is asked of it, or where it is none", async () => {
    const none = { name: "none.nc", size: 4, stream: () => Promise.reject(new Error("no")) };
    const answer = (bytes: Uint8Array<ArrayBuffer>) => ({
      bytes,
      request: { url: "", attempts: 1, bytesReceived: 0, milliseconds: 0 },
      findings: [],
    });
    const source = { ...none, read: () => Promise.resolve(answer(new Uint8Array(4))) };
    await expect(indexFile(source, false, CONTEXT)).rejects.toMatchObject({ code: "no-reference-set" });
    await expect(fileBytes({ ...source, size: 9 }, CONTEXT, LOCAL).read(0, 9)).rejects.toMatchObject({
      code: "short-read",
    });
    const huge = { ...none, size: 2 ** 40, read: () => Promise.resolve(answer(new Uint8Array(0))) };
    const reading = fileBytes(huge, CONTEXT, LOCAL).read(0, 2 ** 31);
    await expect(reading).rejects.toMatchObject({ code: "data-file-too-large" });
  });
});

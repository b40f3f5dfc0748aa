import { expect, it } from "vitest";
import { causesOf } from "./causes.ts";
import { explained } from "./explain.ts";
import { inWords } from "./explained.ts";
import { chunkAt, type Finding, finding, keyAt, nodeAt, type Place } from "./finding.ts";

const at = (...coordinates: number[]): Place => chunkAt("sst", coordinates);

function found(code: string, places: readonly Place[]): Finding {
  const [place = at(0)] = places;
  const facts =
    code === "target-gone" ? { status: 404 } : { codec: "zlib", expected: "a header", found: "nothing of it" };
  return { code, place, facts, count: places.length, ...(places.length > 1 ? { places } : {}) };
}

const cause = (places: readonly Place[]) => found("target-gone", places);
const failed = (places: readonly Place[]) => found("decode-failed", places);

it("a failed reading is evidence of the cause that is known, which is then certain", () => {
  const [one, ...rest] = causesOf([cause([at(1)]), failed([at(1)])]);
  expect(rest).toEqual([]);
  expect(one).toMatchObject({ code: "target-gone", count: 1, evidence: { chunks: [at(1)] } });
  const said = inWords(one as Finding, explained);
  expect(said.failing).toEqual([at(1)]);
  expect(said.said.severity).toBe("error");
  expect(said.said.message).toContain(explained(failed([at(1)])).message);
});

it("what else failed keeps its finding, with what is left of its places", () => {
  const all = causesOf([cause([at(1)]), failed([at(0), at(1), at(2)])]);
  expect(all.map(({ code, count, place, places }) => [code, count, place, places?.length])).toEqual([
    ["target-gone", 1, at(1), undefined],
    ["decode-failed", 2, at(0), 2],
  ]);
});

it("places that were only counted stay", () => {
  const many = { ...failed([at(1), at(2)]), count: 500 };
  expect(causesOf([cause([at(1), at(2)]), many])[1]?.count).toBe(498);
  expect(causesOf([cause([at(1)]), many])[1]).toMatchObject({ count: 499, place: at(2) });
});

it("without a cause nothing changes", () => {
  const findings = [failed([at(1)]), found("decode-failed", [at(2)])];
  expect(causesOf(findings)).toBe(findings);
});

it("a record that is too short is told once, however many of its chunks were read", () => {
  const short = (place: Place) => finding("parquet-record-short", place, { rows: 12, chunks: 15 });
  const record = short(keyAt("sst/refs.1.parq"));
  const bad = finding("reference-bad", at(12), { cause: short(at(12)), format: "kerchunk-parquet" });
  const chunks = { ...bad, places: [at(12), at(13)], count: 2 };
  const [only, ...rest] = causesOf([record, chunks]);
  expect(rest).toEqual([]);
  expect(only).toMatchObject({ place: record.place, evidence: { chunks: [at(12), at(13)] } });
  expect(inWords(only as Finding, explained).failing).toEqual([at(12), at(13)]);
  // Nor is it said twice.
  expect(explained(only as Finding).message).toBe(explained(record).message);
  expect(causesOf([short(keyAt("ice/refs.1.parq")), chunks])).toHaveLength(2);
});

it("a server that refuses an expired signature is told once, with when it expired", () => {
  const url = "https://h.example/a.nc?X-Amz-Signature=s";
  const place: Place = { kind: "target", target: url };
  const signed = finding("url-signature-expired", place, { ends: "2020-01-01 01:00", targets: 1 } as never);
  const refusal = (status: number) => finding("http-status", place, { status, expected: [206], attempts: 1 });
  const [only, ...rest] = causesOf([signed, refusal(403)]);
  expect([only?.code, rest]).toEqual(["http-status", []]);
  expect(explained(only as Finding)).toMatchObject({
    title: "The server rejects an expired signature",
    message: expect.stringContaining("its signature expired at 2020-01-01 01:00 UTC.") as string,
  });
  // It may be let through all the same, or fail for another reason.
  expect(causesOf([signed, refusal(404)])).toHaveLength(2);
  const other = { ...refusal(403), place: { kind: "target", target: "https://h.example/b.nc" } as const };
  expect(causesOf([signed, other])).toHaveLength(2);
});

it("a source that is not there is one cause for all chunks that are read from it, whether it names them or not", () => {
  const read = (chunk: number, target = "/data/a.nc"): Place => ({
    kind: "target",
    target,
    chunk: { kind: "chunk", array: "sst", coordinates: [chunk] },
  });
  const local = finding("url-local-path", read(0), { path: "/data/a.nc", others: 0 } as never);
  const failures = {
    ...finding("target-is-local", read(0), { path: "/data/a.nc", syntax: "posix" } as never),
    count: 3,
  };
  const [only, ...rest] = causesOf([local, { ...failures, places: [read(0), read(1), read(2)] }]);
  expect(rest).toEqual([]);
  expect(only).toMatchObject({ code: "url-local-path", evidence: { chunks: [{}, {}, {}] } });
  const other = { ...failures, place: read(1, "/data/b.nc"), count: 1 };
  expect(causesOf([local, other])).toHaveLength(2);
});

it("a coordinate that is out of order follows from the byte order that other arrays have", () => {
  const misread = (array: string, kind: string) =>
    finding("values-misread", chunkAt(array, [0]), {
      change: { kind, byteOrder: "big" },
      isProven: false,
      chunks: 1,
      of: 1,
    } as never);
  const facts = { position: 1, value: 3e-319, files: ["a.nc"] };
  const time = finding("coordinate-files-unordered", chunkAt("time", [3]), facts as never);
  const [first, second, ...rest] = causesOf([time, misread("lat", "byte-order"), misread("sst", "byte-order")]);
  expect(rest).toEqual([]);
  expect([first, second]).toMatchObject([
    { place: { array: "lat" }, evidence: { found: time } },
    { place: { array: "sst" } },
  ]);
  expect(causesOf([time, misread("lat", "byte-order")])).toHaveLength(2);
  expect(causesOf([time, misread("lat", "byte-order"), misread("sst", "element-size")])).toHaveLength(3);
});

it("a coordinate is without values where its chunks are declared longer than files fill them", () => {
  const missing = finding(
    "coordinate-missing-values",
    { kind: "node", path: "time" },
    { missing: 120, of: 240, isUnwritten: false },
  );
  const shape = { axis: 0, keys: 1, chunks: 1, reach: 2, shape: 240, chunk: 512 };
  const past = (chunkFits: number | undefined, key = "time/1") =>
    finding("keys-past-grid", keyAt(key), { key, dimension: "time", ...shape, chunkFits });
  expect(causesOf([missing, past(120)])).toMatchObject([{ code: "keys-past-grid", evidence: { found: missing } }]);
  expect(causesOf([missing, past(undefined)])).toHaveLength(2);
  expect(causesOf([missing, past(120, "lat/1")])).toHaveLength(2);
});

it("an address that is wrong as it is written is the cause, and that nothing was found there its evidence", () => {
  const of = (name: string, index: number): Place => ({
    kind: "target",
    target: `https://h.example/${name}`,
    chunk: { kind: "chunk", array: "sst", coordinates: [index] },
  });
  const places = [of("a#1.nc", 0), of("a#2.nc", 1)];
  const hash = { ...found("url-fragment", places), facts: { fragment: "#1.nc", scheme: "https", targets: 2, of: 3 } };
  const gone = (all: readonly Place[]) => ({
    ...found("target-gone", all),
    facts: { status: 404, targets: all.length },
  });
  const [only, ...rest] = causesOf([gone(places), hash]);
  expect(rest).toEqual([]);
  expect(only).toMatchObject({ code: "url-fragment", evidence: { found: { code: "target-gone" } } });
  expect(explained(only as Finding)).toMatchObject({
    severity: "error",
    remedy: expect.stringContaining("%23") as string,
  });
  // What else is not there keeps its finding.
  const other = of("b.nc", 2);
  expect(causesOf([gone([...places, other]), hash])).toMatchObject([
    { code: "target-gone", place: other, count: 1, facts: { targets: 1 } },
    { code: "url-fragment" },
  ]);
  // Where the file was found all the same, it remains a warning.
  expect(explained(causesOf([hash])[0] as Finding).severity).toBe("warning");
});

it("lengths that do not fit a type are evidence of the type that the source files have", () => {
  const differs = (member: string, path = "sst") => ({
    ...finding("held-metadata-differs", nodeAt(path), {} as never),
    facts: { member, set: "<f4", has: "<f8", file: "a.nc", files: 1, of: 1 },
  });
  const facts = { dtype: "<f4", chunkShape: [2], expected: 8, least: 16, most: 16, fits: "type", itemSize: 8 } as const;
  const lengths = { ...finding("chunk-lengths-fit-other", at(0), facts), places: [at(0), at(1)], count: 2 };
  const [only, ...rest] = causesOf([lengths, differs("dtype")]);
  expect(rest).toEqual([]);
  expect(only).toMatchObject({ code: "held-metadata-differs", evidence: { found: lengths, chunks: [at(0), at(1)] } });
  expect(causesOf([lengths, differs("units")])).toHaveLength(2);
  expect(causesOf([lengths, differs("dtype", "ice")])).toHaveLength(2);
});

it("a set is without arrays where its metadata are not read", () => {
  const none = finding("no-arrays", { kind: "set" }, {});
  const draft = finding("zarr-v3-draft", keyAt("meta/root/a.array.json"), { format: undefined });
  expect(causesOf([none, draft]).map(({ code }) => code)).toEqual(["zarr-v3-draft"]);
  expect(causesOf([none])).toEqual([none]);
  const [empty, array] = [finding("no-chunks", { kind: "set" }, {}), found("coordinate-incomplete", [at(0)])];
  expect(causesOf([array, empty])).toEqual([empty]);
  expect(causesOf([array])).toEqual([array]);
});

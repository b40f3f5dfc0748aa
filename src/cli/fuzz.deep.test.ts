/**
 * Damaged files of each format, and damaged listings of folders: `check` opens them, or says in a finding why not; nothing
 * is unexpected, and nothing takes long. REFSCOPE_SEED damages otherwise, REFSCOPE_FUZZ more.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { folderLister } from "../io/http/list-folder.ts";
import { CONTEXT } from "./testing/open-corpus.ts";
import { ROOT, runCommand } from "./testing/run-command.ts";

/** HDF5's checksums stand behind what they are of: taken for right, damage reaches what reads the fields. */
const checksums = vi.hoisted(() => ({ areTrusted: false }));
vi.mock(import("../core/lookup3.ts"), async (load) => {
  const { lookup3, ...others } = await load();
  const stored = ({ buffer, byteOffset, byteLength }: Uint8Array): number | undefined => {
    const end = byteOffset + byteLength;
    return end + 4 <= buffer.byteLength ? new DataView(buffer).getUint32(end, true) : undefined;
  };
  return { ...others, lookup3: (bytes) => (checksums.areTrusted ? stored(bytes) : undefined) ?? lookup3(bytes) };
});

const SEED = Number(process.env["REFSCOPE_SEED"] ?? 20_261_124);
const ROUNDS = Number(process.env["REFSCOPE_FUZZ"] ?? 60);
/** Limit of processor time; no input should take a second. */
const MAX_MILLISECONDS = 20_000;
const cpu = (since?: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
};

const folder = mkdtempSync(join(tmpdir(), "refscope-fuzz-"));
afterAll(() => rmSync(folder, { recursive: true }));

const files = (path: string, ends: RegExp): readonly string[] =>
  readdirSync(join(ROOT, path))
    .filter((name) => ends.test(name))
    .map((name) => join(path, name));

const HDF5 = files("src/formats/hdf5/fixtures", /\.(?:h5|nc)$/);
/** Files, and folders of which one file is damaged. */
const FORMATS: readonly (readonly [string, readonly string[]])[] = [
  ["Kerchunk JSON", files("public/samples", /\.json$/)],
  ["Kerchunk Parquet", ["corpus/gdal-parquet-ref-2-dim", "corpus/gdal-parquet-ref-0-dim-inline-content"]],
  ["chunk manifests", ["corpus/chunk-manifest-virtualizarr-a", "corpus/chunk-manifest-zarr-java"]],
  ["Icechunk", ["public/samples/ocean.icechunk"]],
  ["HDF5", HDF5],
  ["HDF5 without its checksums", HDF5],
  ["classic NetCDF", files("src/formats/netcdf3/fixtures", /\.nc$/)],
  ["GRIB", files("src/formats/grib/fixtures", /\.grib2$/)],
  ["DMR++", files("src/formats/dmrpp/fixtures", /\.dmrpp$/)],
];

/** Park and Miller's. */
function randomOf(seed: number): (below: number) => number {
  let state = (Math.abs(Math.trunc(seed)) % 2_147_483_646) + 1;
  return (below) => (state = (state * 48_271) % 2_147_483_647) % Math.max(1, below);
}

/** Bytes that fields hold where they are extreme. */
const EXTREME = [0, 1, 0x7f, 0x80, 0xfe, 0xff];

function damaged(bytes: Uint8Array, next: (below: number) => number): Uint8Array {
  const copy = new Uint8Array(bytes);
  const times = 1 + next(8);
  // Most fields are at the beginning.
  const place = () => next(next(2) === 0 ? Math.min(copy.length, 2048) : copy.length);
  for (let time = 0; time < times; time += 1) {
    const at = place();
    if (next(3) === 0) copy.fill(EXTREME[next(EXTREME.length)] ?? 0, at, at + 1 + next(8));
    else if (next(4) === 0) copy.copyWithin(at, place(), place());
    else copy[at] = next(2) === 0 ? (EXTREME[next(EXTREME.length)] ?? 0) : next(256);
  }
  return next(7) === 0 ? copy.slice(0, next(copy.length)) : copy;
}

const filesBelow = (path: string): readonly string[] =>
  readdirSync(path, { recursive: true, encoding: "utf8" })
    .map((name) => join(path, name))
    .filter((name) => statSync(name).isFile());

/** A copy of it, of which one file is damaged. */
function copyOf(source: string, next: (below: number) => number): string {
  const copy = join(folder, basename(source));
  rmSync(copy, { recursive: true, force: true });
  cpSync(join(ROOT, source), copy, { recursive: true });
  const all = statSync(copy).isFile() ? [copy] : filesBelow(copy).toSorted();
  const file = all[next(all.length)] ?? "";
  writeFileSync(file, damaged(readFileSync(file), next));
  return copy;
}

describe.each(FORMATS)("%s", (name, sources) => {
  it(`damaged ${ROUNDS} times by the seed ${SEED}`, { timeout: 3_600_000 }, async () => {
    checksums.areTrusted = name.endsWith("without its checksums");
    const next = randomOf(SEED + FORMATS.findIndex(([one]) => one === name));
    const wrong: unknown[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const path = copyOf(sources[next(sources.length)] ?? "", next);
      const started = process.cpuUsage();
      const { status, stdout, stderr } = await runCommand([
        "check",
        path,
        "--deep",
        "3",
        "--offline",
        "--threads",
        "0",
        "--json",
      ]);
      const took = cpu(started);
      const all = stdout + stderr;
      const isExpected = [0, 1, 2].includes(status) && !/"code": ?"unexpected"|^ {4}at /m.test(all);
      if (!isExpected || all.trim() === "" || took > MAX_MILLISECONDS) {
        wrong.push({ round, path: basename(path), status, took: Math.round(took), said: all.slice(0, 600) });
      }
    }
    checksums.areTrusted = false;
    expect(wrong).toEqual([]);
  });
});

const INDEX = `<html><head><title>Index of /data/</title></head><body><h1>Index of /data/</h1><a href="../">../</a>
<a href="a.nc">a.nc</a> 01-Jan-2026 10:00 1234\n<a href="b%20c.nc">b c.nc</a> 5\n<a href="sub/">sub/</a> -</body></html>`;
const S3 = `<?xml version="1.0"?><ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken>
<Contents><Key>data/a.nc</Key><Size>12</Size></Contents><CommonPrefixes><Prefix>data/sub/</Prefix></CommonPrefixes></ListBucketResult>`;
const AZURE = `<?xml version="1.0"?><EnumerationResults><Blobs><Blob><Name>data/a.nc</Name><Properties><Content-Length>1</Content-Length>
</Properties></Blob><BlobPrefix><Name>data/sub/</Name></BlobPrefix></Blobs><NextMarker/></EnumerationResults>`;

describe.each([
  ["of a server", "https://host.example/data/", INDEX],
  ["of S3", "https://bucket.s3.amazonaws.com/data/", S3],
  ["of Azure", "https://a.blob.core.windows.net/data/data/", AZURE],
])("a listing %s", (_, url, listing) => {
  it(`damaged ${ROUNDS * 10} times by the seed ${SEED}`, { timeout: 3_600_000 }, async () => {
    const next = randomOf(SEED);
    const names = new Set<string>();
    for (let round = 0; round < ROUNDS * 10; round += 1) {
      const fetch = () =>
        Promise.resolve(new Response(new Uint8Array(damaged(new TextEncoder().encode(listing), next))));
      const started = process.cpuUsage();
      const found = await folderLister({ fetch, attempts: 1 })(url, "", CONTEXT);
      expect(cpu(started)).toBeLessThan(MAX_MILLISECONDS);
      for (const name of [...(found?.files.keys() ?? []), ...(found?.folders ?? [])]) names.add(name);
    }
    expect(names).toContain("a.nc");
    for (const name of names) expect(name).not.toMatch(/^\.{0,2}$|\//);
  });
});

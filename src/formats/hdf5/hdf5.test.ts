import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { inflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { RefscopeError, finding } from "#core/findings/finding.ts";
import { WHOLE_SET } from "#core/findings/fact.ts";
import { fileBytes, LOCAL, REMOTE } from "#core/file-bytes.ts";
import { coordinatesOf, gridOf } from "#core/metadata/chunk-grid.ts";
import type { SourceArray } from "#core/source-file.ts";
import { encodingOf } from "./filters.ts";
import { readHdf5 } from "./read-hdf5.ts";
import own from "./fixtures/expected.json" with { type: "json" };

interface Recorded {
  readonly kind: string;
  readonly shape?: readonly number[];
  readonly chunks?: readonly number[];
  readonly numpy?: string;
  readonly filters?: readonly number[];
  readonly contiguous?: { readonly offset: number; readonly size: number } | null;
  readonly scales?: readonly (readonly string[])[];
  readonly references?: string;
}

const OWN = join(import.meta.dirname, "fixtures");
const SHARED = resolve(
  import.meta.dirname,
  "../../..",
  process.env["REFSCOPE_SHARED"] ?? "../shared",
  "fixtures/author/hdf5",
);
const CONTEXT = { signal: new AbortController().signal, report: () => undefined };
const read = (name: string, bytes: Uint8Array<ArrayBuffer>, options = LOCAL) => {
  const source = {
    name,
    size: bytes.length,
    read: async (range: { offset: number; length: number } | undefined) => ({
      bytes: bytes.slice(range?.offset ?? 0, (range?.offset ?? 0) + (range?.length ?? bytes.length)),
      request: { url: name, attempts: 1, bytesReceived: 0, milliseconds: 0 },
      findings: [],
    }),
    stream: () => Promise.reject(new Error("It is read by ranges.")),
  };
  const file = fileBytes(source, CONTEXT, options);
  const inflate = async (stored: Uint8Array) => new Uint8Array(inflateSync(stored));
  return { file, index: readHdf5(file, { inflate, decode: async (_filters, stored) => inflate(stored) }) };
};

/** Lines as recorded: chunk numbers, offset, length with the checksum that was cut off, mask. */
function lines({ references, shape }: SourceArray, chunks: readonly number[], filters: readonly number[]): string {
  const grid = gridOf(shape.slice(0, chunks.length), chunks);
  const { count, ordinal, offset, length, mask, skipped } = references;
  const checksum = filters.at(-1) === 3 ? 4 : 0;
  const hasSum = (at: number) => (((skipped === undefined ? (mask?.[at] ?? 0) : 0) >>> (filters.length - 1)) & 1) === 0;
  return Array.from({ length: count }, (_, at) => at)
    .toSorted((one, other) => (ordinal[one] as number) - (ordinal[other] as number))
    .map((at) => {
      const size = (length[at] as number) + (checksum > 0 && hasSum(at) ? checksum : 0);
      return `${coordinatesOf(grid, ordinal[at] as number).join(".")} ${offset[at]} ${size} ${mask?.[at] ?? 0}\n`;
    })
    .join("");
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

async function compare(name: string, bytes: Uint8Array<ArrayBuffer>, recorded: Readonly<Record<string, Recorded>>) {
  const { index } = read(name, bytes);
  const { arrays, groups } = await index;
  const byPath = new Map(arrays.map((array) => [`/${array.path}`, array]));
  const compared = { chunks: 0, left: [] as string[] };
  for (const [path, one] of Object.entries(recorded)) {
    if (one.kind === "group") expect(groups.map((group) => `/${group.path}`)).toContain(path);
    const array = byPath.get(path);
    if (one.kind !== "dataset") continue;
    if (array === undefined) {
      compared.left.push(path);
      continue;
    }
    if (one.contiguous && array.inline.size === 0)
      expect([array.references.offset[0], array.references.length[0]]).toEqual([
        one.contiguous.offset,
        one.contiguous.size,
      ]);
    for (const [axis, [scale]] of (one.scales ?? []).entries())
      if (scale !== undefined) expect(array.dimensions[axis], `${path} ${axis}`).toBe(scale.slice(1));
    if (one.references === undefined || array.inline.size > 0) continue;
    compared.chunks += array.references.count;
    expect(sha256(lines(array, one.chunks ?? [], one.filters ?? [])), `${name} ${path}`).toBe(one.references);
  }
  return compared;
}

const bytesOf = (path: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(path));

describe("HDF5 files", () => {
  it.each(Object.entries(own))(
    "%s: places, lengths and masks of all chunks are those of HDF5",
    async (name, recorded) => {
      const { left } = await compare(name, bytesOf(join(OWN, name)), recorded as Readonly<Record<string, Recorded>>);
      // Left out: datasets without elements, data in other files, mere dimensions, and compounds that Zarr has no type
      // for.
      expect(left).toEqual(LEFT_OUT[name] ?? []);
    },
  );

  it.skipIf(!existsSync(SHARED))("are so in all recorded files", async () => {
    const all = JSON.parse(readFileSync(join(SHARED, "expected.json"), "utf8")) as {
      files: Readonly<Record<string, { objects?: Readonly<Record<string, WholeRecord>> }>>;
    };
    let files = 0;
    for (const name of readdirSync(join(SHARED, "files")).filter((one) => !one.endsWith(".json"))) {
      const { objects = {} } = all.files[name] ?? {};
      const recorded = Object.entries(objects).map(([path, one]) => [path, asRecorded(one)] as const);
      await compare(name, bytesOf(join(SHARED, "files", name)), Object.fromEntries(recorded));
      files += 1;
    }
    expect(files).toBe(54);
  });

  it("says what is in other files, what JSON cannot hold, and what Kerchunk makes otherwise", async () => {
    const codes = async (name: string) => {
      const { findings } = await read(name, bytesOf(join(OWN, name))).index;
      return [...new Set(findings.map(({ code }) => code))].toSorted();
    };
    expect(await codes("external_virtual.h5")).toEqual(["hdf5-elsewhere"]);
    expect(await codes("links_latest.h5")).toEqual(["hdf5-external-link"]);
    expect(await codes("netcdf4_odd_names.nc")).toEqual(["kerchunk-would-write"]);
    expect(await codes("filter_masks_latest.h5")).toEqual(["hdf5-filter-mask"]);
    expect(await codes("spaces.h5")).toContain("hdf5-no-space");
    expect(await codes("attr_latin1.h5")).toEqual(["hdf5-attribute-latin1"]);
    expect(await codes("phony_dims.h5")).toEqual(["hdf5-several-scales"]);
    expect(await codes("odd_types.h5")).toEqual(["hdf5-attribute-unread", "hdf5-type-unread", "hdf5-values-inlined"]);
  });

  it("has no codec for filters that numcodecs does not know, and says which", () => {
    const facts = { filter: encodingOf([{ id: 32_013, values: [] }], 4, 4).unknown ?? "none" };
    expect(finding("hdf5-filter-unknown", WHOLE_SET, facts).facts).toEqual({ filter: "ZFP" });
  });

  it("reads a file far away in few requests", async () => {
    const { file, index } = read("netcdf4_grid.nc", bytesOf(join(OWN, "netcdf4_grid.nc")), REMOTE);
    await index;
    expect(file.traffic.requests).toBeLessThanOrEqual(6);
  });

  it("writes no fill value of elements that are larger than any file's", async () => {
    const bytes = new Uint8Array(readFileSync(join(OWN, "sizes_4_4.h5")));
    // The size of d000's data type, and its precision: 4 GB.
    bytes.fill(0xff, 338, 344);
    const { arrays } = await read("damaged.h5", bytes).index;
    expect(arrays.find(({ path }) => path === "d000")?.fill ?? "null").toBe("null");
  });

  it("names what is damaged, and never fails otherwise", async () => {
    const codes = new Map<string, number>();
    let seed = 7;
    const next = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
    for (const name of Object.keys(own)) {
      const whole = bytesOf(join(OWN, name));
      for (let round = 0; round < 20; round += 1) {
        const bytes = round % 5 === 0 ? whole.slice(0, next(whole.length)) : whole.slice();
        for (let flips = 0; flips < 8; flips += 1) bytes[next(Math.min(bytes.length, 4096))] = next(256);
        const code = await read(name, bytes).index.then(
          ({ findings }) => findings.find((one) => /^(?:data-file|unexpected)/.test(one.code))?.code ?? "fine",
          (error: unknown) => (error instanceof RefscopeError ? error.code : String(error)),
        );
        codes.set(code, (codes.get(code) ?? 0) + 1);
      }
    }
    expect([...codes.keys()].toSorted()).toEqual(["data-file-cut", "data-file-damaged", "data-file-longer", "fine"]);
  });
});

type WholeRecord = Omit<Recorded, "filters" | "references"> & {
  readonly filters?: readonly { readonly id: number }[];
  readonly chunk_refs?: { readonly sha256: string };
};

const asRecorded = ({ filters, chunk_refs: chunks, ...rest }: WholeRecord): Recorded => ({
  ...rest,
  ...(filters === undefined ? {} : { filters: filters.map(({ id }) => id) }),
  ...(chunks === undefined ? {} : { references: chunks.sha256 }),
});

const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  // The variable `x` has that name again; the dimension has none.
  "netcdf4_odd_names.nc": ["/_nc4_non_coord_x", "/y"],
  "spaces.h5": ["/null"],
  "external_virtual.h5": ["/ext", "/vds"],
  "odd_types.h5": ["/regions"],
};

/**
 * Stores of Zarr v3's registered extensions, virtual-tiff's codecs and `log_bins`, opened from files and read whole:
 * as Python reads them.
 */
import { FLAGSHIP } from "#core/testing/flagship.ts";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { explained } from "#core/findings/explain.ts";
import { explainedText } from "#core/findings/explained.ts";
import { RefscopeError } from "#core/findings/finding.ts";
import { parseSelection } from "#core/plane/selection.ts";
import { arrayNode } from "../engine-set.ts";
import { CONTEXT } from "../fixtures/plain-table.ts";
import { differenceFrom, openedFiles, type RecordedArray } from "../testing/recorded-arrays.ts";
import { readPart } from "./array-part.ts";

interface Recorded {
  readonly id: string;
  readonly array: string;
  readonly expected?: RecordedArray;
  /** Why zarr-python refuses it. */
  readonly error?: string;
}

type Files = Readonly<Record<string, Uint8Array<ArrayBuffer>>>;

const OURS = resolve(import.meta.dirname, "../fixtures/extension-stores/stores.json");
const read = (path: string) => JSON.parse(readFileSync(path, "utf8")) as unknown;

interface Stored extends Recorded {
  /** Texts by their paths. */
  readonly documents: Readonly<Record<string, string>>;
  /** Base64. */
  readonly chunks: Readonly<Record<string, string>>;
}

function filesOf({ documents, chunks }: Stored): Files {
  const files = [
    ...Object.entries(documents).map(([path, text]) => [path, Buffer.from(text)] as const),
    ...Object.entries(chunks).map(([path, base64]) => [path, Buffer.from(base64, "base64")] as const),
  ];
  return Object.fromEntries(files.map(([path, bytes]) => [`s.zarr/${path}`, new Uint8Array(bytes)]));
}

function filesIn(folder: string): Files {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  return Object.fromEntries(files.map((name) => [`s.zarr/${name}`, new Uint8Array(readFileSync(join(folder, name)))]));
}

/** Fault of the result, if any; for a refusal the code and its sentence. */
async function outcomeOf({ expected, array }: Recorded, files: Files): Promise<string | undefined> {
  try {
    return await differenceFrom(expected ?? { shape: [], dtype: "" }, await openedFiles(files), array);
  } catch (error) {
    if (error instanceof RefscopeError) return `${error.finding.code}: ${explainedText(error.finding, explained)}`;
    throw error;
  }
}

describe("missing chunks of numbers that NumPy has no type for", () => {
  const ARRAY = {
    zarr_format: 3,
    node_type: "array",
    shape: [8],
    chunk_grid: { name: "regular", configuration: { chunk_shape: [4] } },
    chunk_key_encoding: { name: "default" },
  };

  async function valuesOf(members: object, chunks: Readonly<Record<string, Uint8Array>>): Promise<readonly unknown[]> {
    const stored = Object.entries(chunks).map(
      ([path, bytes]) => [path, Buffer.from(bytes).toString("base64")] as const,
    );
    const files = {
      documents: { "zarr.json": JSON.stringify({ ...ARRAY, ...members }) },
      chunks: Object.fromEntries(stored),
    };
    const set = await openedFiles(filesOf({ id: "", array: "", ...files }));
    const node = arrayNode(set, "");
    const selection = parseSelection("...", node.metadata.shape);
    const part = await readPart({ set, node, selection, cf: false }, CONTEXT);
    expect(part.dtype).toBe("<f4");
    return Array.from({ length: 8 }, (_, at) => JSON.parse(part.json(at)) as unknown);
  }

  it("read as the fill value, whatever chunks lie beside them", async () => {
    const big = [{ name: "bytes", configuration: { endian: "big" } }];
    const wide = { data_type: "bfloat16", fill_value: 0.1, codecs: big };
    const chunk = Uint8Array.of(0x3f, 0x80, 0xc0, 0, 0, 0, 0x80, 0);
    const tenth = 0.10009765625;
    expect(await valuesOf(wide, { "c/1": chunk })).toEqual([tenth, tenth, tenth, tenth, 1, -2, 0, -0]);
    const small = { data_type: "float8_e4m3fnuz", fill_value: "NaN", codecs: [{ name: "bytes" }] };
    expect(await valuesOf(small, { "c/0": Uint8Array.of(0x40, 0x80, 0xff, 0) })).toEqual([
      1,
      "NaN",
      -240,
      0,
      "NaN",
      "NaN",
      "NaN",
      "NaN",
    ]);
  });

  it("read as the fill value in shards of packed bits, too", async () => {
    const bytes = { name: "bytes", configuration: { endian: "little" } };
    const inner = { chunk_shape: [4], codecs: [{ name: "packbits" }], index_codecs: [bytes] };
    const members = {
      data_type: "int4",
      fill_value: -3,
      chunk_grid: { name: "regular", configuration: { chunk_shape: [8] } },
      codecs: [{ name: "sharding_indexed", configuration: inner }],
    };
    const index = new Uint8Array(BigUint64Array.of(2n ** 64n - 1n, 2n ** 64n - 1n, 0n, 2n).buffer);
    expect(await valuesOf(members, { "c/0": Uint8Array.of(0xf8, 0x71, ...index) })).toEqual([
      -3, -3, -3, -3, -8, -1, 1, 7,
    ]);
  });
});

describe("stores with registered extensions", () => {
  const ours = read(OURS) as readonly Stored[];

  it.each(ours.filter(({ expected }) => expected !== undefined))("$id", async (one) => {
    expect(await outcomeOf(one, filesOf(one))).toBeUndefined();
  });

  it("whose fill value scale_offset cannot encode are refused, as zarr-python refuses them", async () => {
    const refused = ours.filter(({ error }) => error !== undefined);
    expect(refused).toHaveLength(1);
    for (const one of refused) {
      expect(await outcomeOf(one, filesOf(one))).toMatch(/zarr\.json is invalid.*scale_offset can encode/);
    }
  });

  it.skipIf(!existsSync(join(FLAGSHIP, "cases.json")))(
    `beside the project (${FLAGSHIP}): every one that has no rectilinear grid`,
    async () => {
      const cases = read(join(FLAGSHIP, "cases.json")) as readonly (Recorded & { kind: string; file: string })[];
      const stores = cases.filter(({ kind, id }) => kind === "store" && !id.includes("-rect-"));
      const outcomes = await Promise.all(
        stores.map(async (one) => ({ one, outcome: await outcomeOf(one, filesIn(join(FLAGSHIP, one.file))) })),
      );
      const wrong = outcomes.filter(({ one, outcome }) =>
        one.error === undefined ? outcome !== undefined : outcome?.includes("is invalid") !== true,
      );
      expect(wrong.map(({ one, outcome }) => `${one.id}: ${outcome}`)).toEqual([]);
      expect(stores).toHaveLength(89);
    },
  );
});

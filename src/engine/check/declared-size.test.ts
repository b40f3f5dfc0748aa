/** A law: what a check takes grows with the references that there are, never with the chunks that metadata declare. */
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { isDeep } from "#core/testing/runs.ts";
import { CONTEXT } from "../fixtures/plain-table.ts";
import { inThread } from "../chunk/chunk-decoder.ts";
import { checkReferences, SET_RULES } from "./check-references.ts";
import { COUNT_RULES } from "../rules/count-rules.ts";
import { type Refs, textSet } from "./testing/made-set.ts";
import { checkValues, VALUE_RULES } from "./values/check-values.ts";
import { keepProfiles, profileOf, type SetProfiles } from "./values/profile/set-profiles.ts";
import type { ArrayFacts } from "./values/value-facts.ts";

const MEGABYTE = 1_000_000;
const MOST = 50 * MEGABYTE;
const LONGEST = Number.MAX_SAFE_INTEGER;

const ARRAYS = ["Uint8Array", "Int32Array", "Uint32Array", "Float64Array"] as const;

/** Bytes of typed arrays that were made by their length. */
let made = 0;

interface Cost {
  /** The processor's time, compiling and collecting included. */
  milliseconds: number;
  bytes: number;
}

/** Time and memory that each rule took of the shape that is checked. */
const costs = new Map<string, Cost>();

/** Runs a part of the check, and adds what it took. */
async function measured<T>(name: string, part: () => T | Promise<T>): Promise<T> {
  const [time, before, heap] = [process.cpuUsage(), made, process.memoryUsage().heapUsed];
  const result = await part();
  const cost = costs.get(name) ?? { milliseconds: 0, bytes: 0 };
  cost.milliseconds += process.cpuUsage(time).user / 1000;
  cost.bytes += made - before + Math.max(0, process.memoryUsage().heapUsed - heap);
  costs.set(name, cost);
  return result;
}

function measureRules(): void {
  const rules: readonly { readonly id: string }[] = [...COUNT_RULES, ...SET_RULES, ...VALUE_RULES];
  for (const rule of rules as readonly ({ id: string } & Record<string, unknown>)[])
    for (const name of ["run", "ofArray", "ofSet"]) {
      const own = rule[name];
      if (typeof own !== "function") continue;
      vi.spyOn(rule as Record<string, (...given: unknown[]) => unknown>, name).mockImplementation((...given) =>
        measured(rule.id, () => Reflect.apply(own, rule, given) as unknown),
      );
    }
}

beforeAll(() => {
  measureRules();
  for (const name of ARRAYS) {
    const construct = (original: Uint8ArrayConstructor, given: unknown[], target: Function): object => {
      if (typeof given[0] === "number") made += given[0] * original.BYTES_PER_ELEMENT;
      return Reflect.construct(original, given, target) as object;
    };
    vi.stubGlobal(name, new Proxy(globalThis[name] as unknown as Uint8ArrayConstructor, { construct }));
  }
});

afterAll(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function array(path: string, shape: readonly number[], chunks: readonly number[], dimensions: readonly string[]): Refs {
  const rest = { compressor: null, filters: null, order: "C", fill_value: 0, dtype: "|u1" };
  return {
    [`${path}/.zarray`]: JSON.stringify({ zarr_format: 2, shape, chunks, ...rest }),
    [`${path}/.zattrs`]: JSON.stringify({ _ARRAY_DIMENSIONS: dimensions }),
  };
}

const chunksAt = (path: string, keys: readonly (number | string)[], value: unknown = "A"): Refs =>
  Object.fromEntries(keys.map((key) => [`${path}/${key}`, value]));

/** The same at each run. */
function scattered(count: number, below: number): readonly number[] {
  let seed = 1;
  return Array.from({ length: count }, () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  });
}

const shard = (shape: readonly number[], inner: number) =>
  JSON.stringify({
    zarr_format: 3,
    node_type: "array",
    shape,
    data_type: "uint8",
    fill_value: 0,
    chunk_grid: { name: "regular", configuration: { chunk_shape: [4 * inner] } },
    chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
    codecs: [
      {
        name: "sharding_indexed",
        configuration: {
          chunk_shape: [inner],
          codecs: [{ name: "bytes" }],
          index_codecs: [{ name: "bytes", configuration: { endian: "little" } }],
          index_location: "end",
        },
      },
    ],
    attributes: {},
    dimension_names: ["x"],
  });

const files = Object.fromEntries(
  Array.from({ length: 40 }, (_, at) => [`v/${at}.0`, [`f${Math.floor(at / 4)}.bin`, (at % 4) * 16, 32]]),
);

const SHAPES: Readonly<Record<string, Refs>> = {
  "a long axis of which one chunk is there": {
    ...array("a", [60_000_000], [1], ["x"]),
    ...chunksAt("a", [0]),
  },
  "the longest axis there is": { ...array("a", [LONGEST], [1], ["x"]), ...chunksAt("a", [0, 1, 2, 5]) },
  "a coordinate of the longest axis": { ...array("x", [LONGEST], [1], ["x"]), ...chunksAt("x", [0, 3]) },
  "many axes": {
    ...array("a", Array<number>(26).fill(4), Array<number>(26).fill(1), "abcdefghijklmnopqrstuvwxyz".split("")),
    ...chunksAt("a", [Array(26).fill(1).join("."), Array(26).fill(3).join(".")]),
  },
  "few chunks anywhere": {
    ...array("a", [3_000_000, 3_000_000], [1, 1], ["y", "x"]),
    ...chunksAt(
      "a",
      scattered(200, 3_000_000).map((at) => `${at}.${(at * 7) % 3_000_000}`),
    ),
  },
  "nothing at all": array("a", [LONGEST, 4, 9], [1, 4, 9], ["t", "y", "x"]),
  "the last chunk alone": { ...array("a", [50_000_000], [1], ["x"]), ...chunksAt("a", [49_999_999]) },
  "two that are far from each other": {
    ...array("a", [2 ** 52], [1], ["x"]),
    ...chunksAt("a", [0, 2 ** 52 - 1]),
  },
  "no length": { ...array("a", [0, LONGEST], [1, 1], ["y", "x"]), ...array("b", [LONGEST, 0], [1, 1], ["y", "x"]) },
  "no axis": { ...array("a", [], [], []), ...chunksAt("a", [0]) },
  shards: { "a/zarr.json": shard([2 ** 45], 1), "zarr.json": '{"zarr_format":3,"node_type":"group"}' },
  "steps of files": { ...array("v", [100_000_000, 2], [4, 2], ["t", "y"]), ...files },
  "steps that decode": {
    ...array("v", [100_000_000, 2], [4, 2], ["t", "y"]),
    ...Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`v/${at}.0`, "ABCDEFGH"])),
  },
  "steps of a long axis": {
    ...array("v", [LONGEST, 2], [4, 2], ["t", "y"]),
    ...Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`v/${at * 3_000_000}.0`, "ABCDEFGH"])),
  },
  "a coordinate of a few million elements in one chunk": {
    ...array("x", [6_000_000], [6_000_000], ["x"]),
    "x/0": ["gone.bin", 0, 6_000_000],
  },
  "axes whose cells nobody can count": {
    ...array("a", [LONGEST, LONGEST, LONGEST], [1, 1, 1], ["z", "y", "x"]),
    ...chunksAt("a", ["0.0.0", "1.2.3"]),
  },
  "chunks of unequal lengths": {
    ...array("x", [LONGEST], [2 ** 40], ["x"]),
    ...array("v", [LONGEST, 3], [2 ** 40, 3], ["x", "y"]),
    "v/1.0": ["f.bin", 0, 3],
  },
  "arrays of one grid": Object.fromEntries(
    ["a", "b", "c", "d"].flatMap((path, nth) =>
      Object.entries({ ...array(path, [9e7, 9e7], [1, 1], ["y", "x"]), ...chunksAt(path, [`${nth}.${nth}`]) }),
    ),
  ),
};

it.each(Object.entries(SHAPES))("%s", async (shape, refs) => {
  const isGrouped = "zarr.json" in refs;
  costs.clear();
  const text = JSON.stringify({ ...(isGrouped ? {} : { ".zgroup": '{"zarr_format":2}' }), ...refs });
  const set = await measured("opening", () => textSet(text));
  const references = await checkReferences(set, CONTEXT);
  const profiles: SetProfiles = new Map();
  let facts: readonly ArrayFacts[] = [];
  const request = {
    chunks: "all",
    decoder: inThread,
    onFacts: (given: readonly ArrayFacts[]) => (facts = given),
  } as const;
  const values = await measured("all values", () => checkValues(set, request, CONTEXT));
  await keepProfiles(profiles, { facts, isDoubtful: false }, CONTEXT);
  for (const [path, id] of set.index.arrayIds) {
    await measured("an index", () => set.index.arrayIndex(id, CONTEXT));
    const through = facts.find(({ node }) => node.path === path)?.grid.map(() => 0) ?? [];
    await measured("a profile", () => profileOf(set, profiles, { array: path }));
    await measured("a line of a profile", () => profileOf(set, profiles, { array: path, through }));
  }
  const codes = [...set.findings, ...references.findings, ...values.findings].map(({ code }) => code);
  expect(codes).not.toContain("unexpected");
  for (const [name, { bytes }] of costs) expect(bytes, name).toBeLessThan(MOST);
  if (!isDeep) return;
  const lines = [...costs].toSorted(([, one], [, other]) => other.milliseconds - one.milliseconds);
  const told = lines.map(
    ([name, { milliseconds, bytes }]) =>
      `  ${name}: ${milliseconds.toFixed(1)} ms, ${(bytes / MEGABYTE).toFixed(1)} MB`,
  );
  console.log([shape, ...told].join("\n"));
});

/**
 * Comparing by manifests against looking up every chunk of both sides, for arrays that are resized and split anyhow.
 */
import { describe, expect, it } from "vitest";
import { nodeAt } from "#core/findings/fact.ts";
import { isWithin, type Extents, type ManifestRef } from "#formats/icechunk/index.ts";
import { openManifest } from "#formats/icechunk/references.ts";
import { randomFrom } from "#formats/icechunk/testing/damage.ts";
import { bytesOf, coordinates, manifestFile, table, text, u32, u64 } from "#formats/icechunk/testing/flat-writer.ts";
import { testZstd } from "#formats/icechunk/testing/objects.ts";
import { pairArrays, type SideArray, type SnapshotSide } from "./snapshot-side.ts";
import { cellWindow, MAX_CHANGED } from "./changed-cells.ts";
import { compareByManifests, manifestGroups } from "./compare.ts";
import { CONTEXT } from "./testing/open.ts";

/** The one that `manifestFile` writes. */
const NODE = "0W3GE1R70W3GE";

interface Written {
  readonly at: readonly number[];
  readonly value: number;
}

type Manifests = ReadonlyMap<string, readonly Written[]>;

function sideArray(grid: readonly number[], manifests: readonly ManifestRef[], id = NODE): SideArray {
  return { kind: "array", id, path: "a", metadata: new Uint8Array(0), grid, innerChunks: 1, manifests };
}

const sideOf = (node: SideArray): SnapshotSide => ({ id: "S", nodes: new Map([[node.id, node]]) });

/** A value as a reference: two thirds inline, the rest virtual ones that differ in one field each. */
function reference({ at, value }: Written) {
  if (value < 4) return table(coordinates(...at), bytesOf(Uint8Array.of(value)));
  const location = text(value === 5 ? "file:///b" : "file:///a");
  const etag = value === 7 ? text('"e"') : undefined;
  const seconds = value === 8 ? u32(9) : undefined;
  return table(coordinates(...at), undefined, u64(value === 6 ? 1 : 0), u64(10), undefined, location, etag, seconds);
}

async function compared(from: SideArray, to: SideArray, manifests: Manifests) {
  const asked: string[] = [];
  const open = async (id: string) => {
    asked.push(id);
    return openManifest(manifestFile((manifests.get(id) ?? []).map(reference)), id, testZstd);
  };
  const sides = [sideOf(from), sideOf(to)] as const;
  const pairs = pairArrays(...sides);
  const [first, second] = sides;
  const all = { from: first, to: second, pairs };
  const { cells, findings } = await compareByManifests(all, { kind: "as-asked" }, open, { left: MAX_CHANGED }, CONTEXT);
  const changes = [...cells.values()].flatMap((one) => cellWindow(one, 0, 10_000));
  return { asked, findings, changes: changes.map(({ coordinates, kind }) => `${coordinates.join("/")} ${kind}`) };
}

/** Value that a reader finds at a chunk: in the first manifest whose extents hold it and that has it. */
function lookUp({ grid, manifests }: SideArray, files: Manifests, at: readonly number[]): number | undefined {
  if (at.some((cell, axis) => cell >= grid[axis]!)) return undefined;
  for (const { id, extents } of manifests) {
    const found = isWithin(extents, at) ? files.get(id)?.find((one) => one.at.join() === at.join()) : undefined;
    if (found !== undefined) return found.value;
  }
  return undefined;
}

describe("comparing by manifests", () => {
  it("is looking up every chunk", async () => {
    const random = randomFrom(20_261_122);
    const range = (most: number) => {
      const from = random.below(most);
      return { from, to: from + 1 + random.below(most) };
    };
    let shared = 0;
    for (let round = 0; round < 400; round += 1) {
      const files = new Map<string, readonly Written[]>();
      for (const id of ["A", "B", "C"]) {
        const all = Array.from({ length: 36 }, (_, index) => ({
          at: [Math.floor(index / 6), index % 6],
          value: random.below(9),
        }));
        files.set(
          id,
          all.filter(() => random.below(3) > 0),
        );
      }
      const whole: Extents = [];
      const ref = (id: string): ManifestRef => ({ id, extents: random.below(3) === 0 ? whole : [range(4), range(4)] });
      const pool = [ref("A"), ref("B"), ref("C"), ref("A")];
      const pick = () => pool.filter(() => random.below(2) === 0);
      const grid = () => [1 + random.below(6), 1 + random.below(6)];
      const before = sideArray(grid(), pick());
      const after = sideArray(
        random.below(2) === 0 ? before.grid : grid(),
        pick(),
        random.below(8) === 0 ? "OTHER" : NODE,
      );
      const wanted: string[] = [];
      const filesAfter = after.id === NODE ? files : new Map<string, readonly Written[]>();
      for (let index = 0; index < 36; index += 1) {
        const at = [Math.floor(index / 6), index % 6];
        const [was, is] = [lookUp(before, files, at), lookUp(after, filesAfter, at)];
        if (was !== is)
          wanted.push(`${at.join("/")} ${was === undefined ? "added" : is === undefined ? "removed" : "changed"}`);
      }
      const { changes, asked } = await compared(before, after, files);
      expect(changes, `round ${round}`).toEqual(wanted);
      if (asked.length < before.manifests.length + after.manifests.length) shared += 1;
    }
    expect(shared).toBeGreaterThan(20);
  });

  it("fetches no manifest that both have alone in its place", () => {
    const at = (id: string, from: number, to: number): ManifestRef => ({ id, extents: [{ from, to }] });
    const split = [at("A", 0, 10), at("B", 10, 20), at("C", 20, 25)];
    const groups = (before: SideArray, after: SideArray) =>
      manifestGroups(before, after).map(
        ({ from, to }) => `${from.map(({ id }) => id).join()}>${to.map(({ id }) => id).join()}`,
      );
    const changed = [at("A", 0, 10), at("X", 10, 20), at("C", 20, 25), at("D", 25, 30)];
    expect(groups(sideArray([25], split), sideArray([25], split))).toEqual([]);
    expect(groups(sideArray([25], split), sideArray([30], changed))).toEqual(["B>X", ">D"]);
    // Shorter: the last has fewer chunks now.
    expect(groups(sideArray([25], split), sideArray([22], split))).toEqual(["C>C"]);
    expect(groups(sideArray([25], split), sideArray([25], [at("W", 5, 15), ...split]))).toEqual(["A,B>W,A,B"]);
    // The first of two manifests with the same chunk counts: their order matters.
    expect(
      groups(sideArray([], [at("A", 0, 1), at("B", 0, 1)]), sideArray([], [at("B", 0, 1), at("A", 0, 1)])),
    ).toEqual(["A,B>B,A"]);
  });

  it("says where grids cannot be compared", async () => {
    const files = new Map([["A", [{ at: [0], value: 1 }]]]);
    const grid = [2 ** 32, 2 ** 32];
    const { changes, findings } = await compared(
      sideArray(grid, [{ id: "A", extents: [] }]),
      sideArray(grid, []),
      files,
    );
    expect(changes).toEqual([]);
    expect(findings).toMatchObject([
      { code: "icechunk-grid-not-compared", place: nodeAt("a"), facts: { from: grid, to: grid } },
    ]);
  });

  it.each([NODE, "OTHER"])("takes an array with other dimensions for another one, id %s", async (id) => {
    const files = new Map([
      [
        "A",
        [
          { at: [0], value: 1 },
          { at: [1], value: 2 },
        ],
      ],
      ["B", [{ at: [0, 1], value: 1 }]],
    ]);
    const [before, after] = [
      sideArray([3], [{ id: "A", extents: [] }]),
      sideArray([2, 2], [{ id: "B", extents: [] }], id),
    ];
    const { changes, findings } = await compared(before, after, files);
    expect(findings).toEqual([]);
    // The file has references of `NODE` alone.
    expect(changes).toEqual(["0 removed", "1 removed", ...(id === NODE ? ["0/1 added"] : [])]);
  });
});

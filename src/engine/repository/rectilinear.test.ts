/**
 * Rectilinear chunk grids in an Icechunk repository: what its references are of is said by the array's own metadata.
 */
import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { fixtureFiles, testZstd } from "#formats/icechunk/testing/objects.ts";
import { readChunk } from "../chunk/read-chunk.ts";
import { digestArray } from "../digest/digest.ts";
import { arrayNode, type EngineSet } from "../engine-set.ts";
import { CONTEXT, openSet } from "./testing/open.ts";

const HEADER_BYTES = 39;
const REGULAR =
  '"chunk_grid":{"name":"regular","configuration":{"chunk_shape":[4,20]}},"chunk_key_encoding":{"name":"default","configuration":{"separator":"/"}}';

/** The same repository with another grid for arrays in chunks of 4 by 20, written in as many bytes. */
async function withGrid(shapes: unknown): Promise<ReadonlyMap<string, Uint8Array>> {
  const configuration = { kind: "inline", chunk_shapes: shapes };
  const grid = `"chunk_grid":${JSON.stringify({ name: "rectilinear", configuration })},"chunk_key_encoding":"default"`;
  expect(grid.length).toBeLessThanOrEqual(REGULAR.length);
  const files = new Map(fixtureFiles("v2"));
  for (const [path, bytes] of files) {
    if (!path.startsWith("snapshots/")) continue;
    const body = await testZstd.decompress(bytes.subarray(HEADER_BYTES), { limit: 2 ** 24 });
    const text = new TextDecoder("latin1").decode(body).replaceAll(REGULAR, grid.padEnd(REGULAR.length));
    const header = bytes.slice(0, HEADER_BYTES);
    header[38] = 0; // Not compressed.
    files.set(path, Buffer.concat([header, Buffer.from(text, "latin1")]));
  }
  return files;
}

const newHash = () => {
  const hash = createHash("sha256");
  return { update: (bytes: Uint8Array) => void hash.update(bytes), digest: () => hash.digest("hex") };
};

const cutBy20 = ({ hierarchy }: EngineSet): string => {
  for (const node of hierarchy.nodes.values())
    if (node.kind === "array" && node.metadata.shape[1] === 40) return node.path;
  throw new Error("The repository has no such array.");
};

const valuesOf = async (set: EngineSet) =>
  (await digestArray(set, arrayNode(set, cutBy20(set)), { newHash, perChunk: true }, CONTEXT)).digest;

it("with edges that are all alike reads as the regular grid that it is", async () => {
  const [regular, other] = [await openSet(fixtureFiles("v2")), await openSet(await withGrid([[4, 4], [[20, 2]]]))];
  const path = cutBy20(other);
  expect(arrayNode(other, path).metadata).toMatchObject({ chunks: [4, 20], isRectilinear: true });
  expect(other.tally.arrays.get(path)).toEqual(regular.tally.arrays.get(path));
  expect(await valuesOf(other)).toEqual(await valuesOf(regular));
  // Icechunk's own library refuses the metadata that this test writes: they are not compressed.
  const codes = other.findings.map(({ code }) => code).filter((code) => code !== "icechunk-library-limit");
  expect(codes).toEqual(regular.findings.map(({ code }) => code));
});

it("with unequal edges has a shape for each chunk, and the repository's references in their places", async () => {
  const set = await openSet(await withGrid([[3, 5], 20]));
  const path = cutBy20(set);
  expect(set.nodes.find((node) => node.path === path)?.grid).toEqual([2, 2]);
  const errors = await Promise.all(
    [
      [0, 0],
      [1, 0],
    ].map(async (coordinates) => (await readChunk(set, path, coordinates, CONTEXT)).reading),
  );
  // Its chunks are stored as 4 by 20: what they are taken for is said.
  for (const [at, shape] of ["[3, 20]", "[5, 20]"].entries()) {
    const { error, state } = errors[at] ?? {};
    if (state !== "missing") expect(error?.facts).toMatchObject({ expected: expect.stringContaining(shape) as string });
  }
  expect(errors.some(({ error }) => error !== undefined)).toBe(true);
});

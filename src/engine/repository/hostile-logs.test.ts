/** Transaction logs that name what cannot be. */
import { describe, expect, it } from "vitest";
import { nodeAt } from "#core/findings/fact.ts";
import { fetchSnapshot } from "#formats/icechunk/index.ts";
import { coordinates, flatBuffer, icechunkFile, table, tables } from "#formats/icechunk/testing/flat-writer.ts";
import type { FlatNode, FlatValue } from "#formats/icechunk/testing/flat-writer.ts";
import { fixtureFiles, objectsOf, testZstd } from "#formats/icechunk/testing/objects.ts";
import { CONTEXT, openRepositoryOf } from "./testing/open.ts";

const FROM = "AW9T5S3M208RHAJZJWYG";
const TO = "XRNVGQP6GPPQ73NDBMF0";
const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Bytes of an id as it is written. */
function idBytes(text: string, size: number): number[] {
  const bits = text
    .split("")
    .map((digit) => DIGITS.indexOf(digit).toString(2).padStart(5, "0"))
    .join("");
  return Array.from({ length: size }, (_, index) => Number.parseInt(bits.slice(index * 8, index * 8 + 8), 2));
}

const vector = (ids: readonly string[]): FlatValue => ({
  to: { vector: Uint8Array.from(ids.flatMap((id) => idBytes(id, 8))), size: 8 },
});

/** The repository with a log of the last commit that says these chunks of /time were set, and all nodes updated. */
async function repositoryWith(chunks: readonly (readonly number[])[]) {
  const files = new Map(fixtureFiles("v2"));
  const { nodes } = await fetchSnapshot(objectsOf(files), testZstd, TO);
  const time = nodes.find(({ path }) => path === "/time")!.id;
  const all = vector(nodes.map(({ id }) => id));
  const updated: FlatNode = table(
    { struct: Uint8Array.from(idBytes(time, 8)) },
    tables(chunks.map((at) => table(coordinates(...at)))),
  );
  const id = { struct: Uint8Array.from(idBytes(TO, 12)) };
  const root = table(id, vector([]), vector([]), vector([]), vector([]), all, all, tables([updated]));
  files.set(`transactions/${TO}`, icechunkFile(flatBuffer(root), { type: 4 }));
  return openRepositoryOf(files);
}

describe("transaction logs with", () => {
  it("coordinates outside the grid, or without a chunk: not listed; a chunk that they do not name is, and said", async () => {
    const repository = await repositoryWith([[4_000_000_000], [1], [7], [1], [4_294_967_295]]);
    const { arrays, method, findings } = await repository.compare({ from: FROM, to: TO, method: "auto" }, CONTEXT);
    const kinds = { set: 1, added: 0, removed: 0, changed: 1 };
    expect([method, arrays]).toMatchObject(["logs", [{ path: "time", count: 2, kinds }]]);
    expect(findings).toMatchObject([{ code: "icechunk-log-resized", place: nodeAt("time"), facts: { unnamed: 1 } }]);
    expect([...(repository.changesOf("time")?.ordinals ?? [])]).toEqual([0, 1]);
  });

  it("coordinates of another rank: left out, and said", async () => {
    const repository = await repositoryWith([[0, 0], [], [0]]);
    const { arrays, findings } = await repository.compare({ from: FROM, to: TO, method: "auto" }, CONTEXT);
    expect(arrays).toMatchObject([{ path: "time", count: 1 }]);
    expect(findings).toMatchObject([{ code: "icechunk-log-wrong-rank", place: nodeAt("time"), count: 2 }]);
  });

  it("very many coordinates that repeat: each counted once, if it is in a snapshot", async () => {
    const many = Array.from({ length: 60_000 }, (_, index) => [(index * 7919) % 50_000]);
    const repository = await repositoryWith(many);
    const { arrays } = await repository.compare({ from: FROM, to: TO, method: "auto" }, CONTEXT);
    expect(arrays).toMatchObject([{ count: 2, kinds: { set: 2 } }]);
    expect(repository.changedChunks("time", 0, 60_000).chunks).toHaveLength(2);
  });
});

/** The start page's repository against what the official library read of it; served by address, as the page has it. */
import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { folderFiles } from "#formats/icechunk/testing/objects.ts";
import { digestArray } from "../digest/digest.ts";
import { arrayNode, type EngineSet } from "../engine-set.ts";
import { summaryOf } from "../describe/summary.ts";
import { linesOf } from "./blame/testing/histories.ts";
import recorded from "./fixtures/history-sample.json" with { type: "json" };
import { CONTEXT, openServed } from "./testing/open.ts";
import { explained } from "#core/findings/explain.ts";

const files = folderFiles(resolve(import.meta.dirname, "../../../public/samples/ocean.icechunk"));

const newHash = () => {
  const hash = createHash("sha256");
  return { update: (bytes: Uint8Array) => void hash.update(bytes), digest: () => hash.digest("hex") };
};

async function digestOf(set: EngineSet, path: string) {
  const { digest } = await digestArray(set, arrayNode(set, path), { newHash, perChunk: true }, CONTEXT);
  return { sha256: digest.sha256, chunks: { ...digest.chunk_sha256 } };
}

describe("the sample with a history", () => {
  it("is small, and without the older states of the repository's file", () => {
    const sizes = [...files.values()].map(({ length }) => length);
    expect(sizes.length).toBeLessThanOrEqual(40);
    expect(sizes.reduce((a, b) => a + b)).toBeLessThan(60_000);
    expect([...files.keys()].filter((path) => path.startsWith("overwritten"))).toEqual([]);
  });

  it.each(["main", "experiment", "v1.0", "v1.1"] as const)("has the values of %s", async (ref) => {
    const { set } = await openServed(files, ref);
    for (const [path, digest] of Object.entries(recorded.digests[ref])) {
      expect(await digestOf(set, path)).toEqual(digest);
    }
  });

  it("has native, inline and missing chunks on main, no virtual ones, and nothing wrong", async () => {
    const { set } = await openServed(files);
    for (const node of set.hierarchy.nodes.values()) if (node.kind === "array") await digestOf(set, node.path);
    await set.refresh(CONTEXT);
    const { states } = summaryOf(set, 1);
    expect(states).toMatchObject({ missing: 1, virtual: 0, unknown: 0, bad: 0 });
    expect(Math.min(states.inline, states.native)).toBeGreaterThan(0);
    expect(set.findings.filter((one) => explained(one).severity !== "info")).toEqual([]);
  });

  it("has branches, tags and chains", async () => {
    const { repository } = await openServed(files);
    const history = await repository.history(CONTEXT);
    const heads = (refs: readonly { readonly name: string; readonly snapshot: string }[]) =>
      Object.fromEntries(refs.map(({ name, snapshot }) => [name, snapshot]));
    expect(heads(history.branches)).toEqual(recorded.branches);
    expect(heads(history.tags)).toEqual(recorded.tags);
    expect(history.deletedTags).toEqual(["v0.9"]);
    expect(history.updatesContinueIn).toBeUndefined();
    for (const branch of ["main", "experiment"] as const) {
      const { entries, end } = await repository.ancestry(recorded.branches[branch], 100, CONTEXT);
      expect(entries.map(({ id, message }) => ({ id, message }))).toEqual(recorded.ancestry[branch]);
      expect(end).toBe("first");
    }
  });

  it("shows what changed: metadata, chunks, a moved array", async () => {
    const { repository } = await openServed(files);
    const { branches, tags, diffs } = recorded;
    const main = await repository.compare({ from: tags["v1.0"], to: branches.main, method: "auto" }, CONTEXT);
    const members = { changes: [{ path: "attributes.units", before: '"K"', after: '"degC"' }], count: 1 };
    expect(main.nodes).toEqual([{ kind: "updated", node: "array", path: "sst", members }]);
    const { chunks } = repository.changedChunks("sst", 0, 100);
    expect(chunks.map(({ coordinates }) => coordinates)).toEqual(diffs["v1.0 to main"].updatedChunks["/sst"]);
    const moved = await repository.compare({ from: tags["v1.1"], to: branches.experiment, method: "auto" }, CONTEXT);
    expect(moved.nodes).toEqual([{ kind: "moved", node: "array", path: "sea_ice", before: "ice" }]);
    expect(diffs["v1.1 to experiment"].movedNodes).toEqual([{ from: "/ice", to: "/sea_ice" }]);
  });
});

describe("the blame of the sample", () => {
  const [, february = "", , march = "", first = ""] = recorded.ancestry.main.map(({ id }) => id);

  it("names the commits that the official library's diff has, and who dropped a chunk", async () => {
    const { repository } = await openServed(files);
    const blame = await repository.blame({ array: "sst" }, CONTEXT);
    const lines = linesOf(blame, repository.blamedChunks("sst", 0, Infinity));
    const changed = recorded.diffs["v1.0 to main"].updatedChunks["/sst"].map((chunk) => chunk.join("."));
    for (const [chunk, line] of lines) {
      const month = Math.floor(Number(chunk.split(".")[0]) / 3);
      if (chunk === "8.0.0") expect(line).toBe(`deleted ${recorded.branches.main}`);
      else expect(line.split(" ")[1]).toBe(changed.includes(chunk) ? february : month === 2 ? march : first);
    }
    expect(blame).toMatchObject({ absent: 0, findings: [] });
  });

  it("follows an array that was moved", async () => {
    const { repository: moved } = await openServed(files, "experiment");
    const { repository: before } = await openServed(files, "v1.1");
    const [ice, seaIce] = [
      await before.blame({ array: "ice" }, CONTEXT),
      await moved.blame({ array: "sea_ice" }, CONTEXT),
    ];
    expect(linesOf(seaIce, moved.blamedChunks("sea_ice", 0, Infinity))).toEqual(
      linesOf(ice, before.blamedChunks("ice", 0, Infinity)),
    );
  });
});

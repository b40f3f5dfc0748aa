import { describe, expect, it } from "vitest";
import recorded from "#formats/icechunk/fixtures/expected.json" with { type: "json" };
import type { ExpectedRepository } from "#formats/icechunk/testing/expected.ts";
import { fixtureFiles } from "#formats/icechunk/testing/objects.ts";
import { CONTEXT, openRepositoryOf } from "../testing/open.ts";
import { differencesIn, linesOf, recordedHistories, type TrueHistory } from "./testing/histories.ts";

const expected = recorded as unknown as Readonly<Record<string, ExpectedRepository>>;
const HISTORIES = recordedHistories();

describe.each(Object.entries(HISTORIES))("the recorded history %s", (_name, { files, truth }) => {
  it("has the writer, or remover, of every chunk at every recorded snapshot", async () => {
    const { compared, differences } = await differencesIn(await openRepositoryOf(files), truth);
    expect(differences).toEqual([]);
    expect(compared).toBeGreaterThan(50);
  });

  it("tells a chunk's life from its last event back to the first", async () => {
    const repository = await openRepositoryOf(files);
    for (const [snapshot, array, chunk, truly] of chunksOf(truth)) {
      const asked = { array, snapshot, chunk: chunk.split(".").map(Number) };
      const { events, findings } = await repository.chunkLife(asked, CONTEXT);
      expect(findings).toEqual([]);
      const times = events.map(({ commit }) => commit.time ?? "");
      expect(times).toEqual(times.toSorted().toReversed());
      for (const { commit } of events) expect(commit.message).toBe(truth.messages[commit.id]);
      const [last] = events;
      if (truly === undefined) expect(last).toBeUndefined();
      else {
        const { by, ...facts } = truly;
        expect([last?.commit.id, last?.did]).toEqual([by, "how" in facts ? facts.how : "wrote"]);
        if (!("how" in facts)) expect(last?.reference).toMatchObject(referenceOf(facts));
      }
    }
  });

  it("compares manifests where logs are missing, and says what this does not show", async () => {
    const repository = await openRepositoryOf(
      new Map([...files].filter(([path]) => !path.startsWith("transactions/"))),
    );
    let [same, all] = [0, 0];
    for (const [snapshot, { arrays }] of Object.entries(truth.snapshots)) {
      for (const [array, expected] of Object.entries(arrays)) {
        const blame = await repository.blame({ array, snapshot }, CONTEXT);
        expect(blame.findings.map(({ code }) => code)).toContain("icechunk-log-absent");
        const lines = linesOf(blame, repository.blamedChunks(array, 0, Infinity));
        for (const [chunk, { by, kind }] of Object.entries(expected.chunks)) {
          const [found = "", id = ""] = lines.get(chunk)?.split(" ") ?? [];
          expect(found).toBe(kind);
          // Another one wrote the same reference before.
          if (id !== by) expect((truth.times[id] ?? "") < (truth.times[by] ?? "")).toBe(true);
          same += id === by ? 1 : 0;
          all += 1;
        }
      }
    }
    expect(same / all).toBeGreaterThan(0.9);
  });
});

function* chunksOf({ snapshots }: TrueHistory) {
  for (const [snapshot, { arrays }] of Object.entries(snapshots)) {
    for (const [array, { chunks, gone, absent }] of Object.entries(arrays)) {
      for (const [chunk, truly] of Object.entries({ ...chunks, ...gone }))
        yield [snapshot, array, chunk, truly] as const;
      for (const chunk of absent) yield [snapshot, array, chunk, undefined] as const;
    }
  }
}

const referenceOf = ({ kind, length, location, offset, etag }: Record<string, unknown>) => ({
  kind,
  length,
  ...(location === undefined ? {} : { location, offset }),
  ...(etag === undefined ? {} : { etag }),
});

describe.each(["v1", "v2"] as const)("the official library's diffs of %s", (name) => {
  const { diffs, ancestry } = expected[name]!;

  it.each(diffs)("$from to $to: only chunks that it lists were written since", async ({ from, to, updatedChunks }) => {
    const repository = await openRepositoryOf(fixtureFiles(name), `snapshot:${to}`);
    const chain = Object.values(ancestry).find(([head]) => head?.id === to) ?? [];
    const since = chain
      .slice(
        0,
        chain.findIndex(({ id }) => id === from),
      )
      .map(({ id }) => id);
    for (const [array, listed] of Object.entries(updatedChunks as Readonly<Record<string, readonly number[][]>>)) {
      const path = array.slice(1);
      const blame = await repository.blame({ array: path }, CONTEXT);
      expect(blame.findings).toEqual([]);
      const lines = [...linesOf(blame, repository.blamedChunks(path, 0, Infinity))];
      const written = lines.filter(([, line]) => since.includes(line.split(" ")[1] ?? "")).map(([chunk]) => chunk);
      const names = new Set(listed.map((chunk) => chunk.join(".")));
      expect(written).toEqual(lines.flatMap(([chunk, line]) => (names.has(chunk) && line !== "absent" ? [chunk] : [])));
    }
  });
});

/** Chunk files of a repository, and objects of a store. */
import { expect, it } from "vitest";
import { tableBuilder } from "#core/table/table-builder.ts";
import type { TargetProbe } from "#core/check/target-probe.ts";
import { causeOf } from "#core/findings/cause.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import { CONTEXT } from "#engine/fixtures/plain-table.ts";
import { checkObjects } from "./check-sources.ts";

const SEEN = { requests: 2, attempts: 1, bytesReceived: 16, milliseconds: 1 };

/** Four chunks, two in each of two objects, which answer as said. */
function repository(answers: Readonly<Record<string, Partial<TargetProbe>>>): EngineSet {
  const table = tableBuilder();
  const array = table.addArray("a", [4], "c/");
  for (let at = 0; at < 4; at += 1) table.addNative(array, at, 100);
  const set = {
    table: table.live(),
    nativePlace: (_: string, { row }: { readonly row: number }) => ({
      key: `chunks/${row >> 1}`,
      range: { offset: 100 * (row & 1), length: 100 },
    }),
    resolveKey: (key: string) => ({ kind: "url", url: `https://x.example/${key}`, steps: [] }),
    targets: {
      probe: ({ url }: { readonly url: string }) =>
        Promise.resolve({ url, ...SEEN, status: 206, range: { kind: "honoured" }, ...answers[url.slice(-1)] }),
    },
  };
  return set as unknown as EngineSet;
}

it("chunk files that are there and long enough give nothing", async () => {
  const { findings, ...sums } = await checkObjects(
    repository({ 0: { size: 200 }, 1: { size: 200 } }),
    { limit: 10 },
    CONTEXT,
  );
  expect(findings).toEqual([]);
  expect(sums).toMatchObject({ of: 2, asked: 2, sound: 2, rules: [{ rule: "chunk-files", lookedAt: 2, sampled: 0 }] });
});

it("chunk files that are missing or cut are named with their chunks", async () => {
  const answers = { 0: { size: 150 }, 1: { status: 404, range: undefined } } as const;
  const { findings, sound } = await checkObjects(repository(answers as never), { limit: 10 }, CONTEXT);
  const chunk = (at: number) => ({ kind: "chunk", array: "a", coordinates: [at] });
  expect(findings).toMatchObject([
    { code: "native-object-short", facts: { size: 150, end: 200 }, place: { target: "chunks/0", chunk: chunk(0) } },
    { code: "native-object-missing", facts: { status: 404 }, place: { target: "chunks/1", chunk: chunk(2) }, count: 2 },
  ]);
  expect(sound).toBe(0);
});

it("a chunk file longer than its only reference is noted; one that several share may have more", async () => {
  const set = repository({ 0: { size: 300 }, 1: { size: 300 } });
  expect((await checkObjects(set, { limit: 10 }, CONTEXT)).findings).toEqual([]);
  const alone = {
    ...set,
    nativePlace: (_: string, { row }: { row: number }) => ({ key: `chunks/${row}`, range: { offset: 0, length: 200 } }),
  };
  const { findings } = await checkObjects(alone as unknown as EngineSet, { limit: 10 }, CONTEXT);
  expect(findings.slice(0, 1)).toMatchObject([{ code: "native-object-long", facts: { size: 300, end: 200 } }]);
});

it("of many chunk files a sample is asked", async () => {
  const { rules } = await checkObjects(repository({}), { limit: 2 }, CONTEXT);
  expect(rules).toMatchObject([{ of: 4, lookedAt: 2, sampled: 2 }]);
});

it("what the server does is one cause, whichever objects it did it with", async () => {
  const ignored = { size: 200, status: 200, range: { kind: "ignored" } } as const;
  const { findings } = await checkObjects(repository({ 0: ignored, 1: ignored }), { limit: 10 }, CONTEXT);
  expect(findings.map(({ code }) => code)).toEqual(["range-ignored", "range-ignored"]);
  expect(new Set(findings.map(causeOf)).size).toBe(1);
  const gone = { status: 404, range: undefined } as never;
  const lost = await checkObjects(repository({ 0: gone, 1: gone }), { limit: 10 }, CONTEXT);
  expect(lost.findings).toHaveLength(2);
  expect(new Set(lost.findings.map(causeOf)).size).toBe(1);
});

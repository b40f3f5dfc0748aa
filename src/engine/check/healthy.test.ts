/** Nothing is wrong with healthy sets that real tools wrote, whatever their data look like. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { explained } from "#core/findings/explain.ts";
import { inThread } from "../chunk/chunk-decoder.ts";
import { context, openMade, type References } from "../repair/suggest/testing/damaged-set.ts";
import { checkReferences } from "./check-references.ts";
import { causesOfParts } from "./set-checks.ts";
import { checkValues } from "./values/check-values.ts";

interface Kept {
  readonly references: References;
  readonly files?: Readonly<Record<string, string>>;
}

const text = readFileSync(new URL("fixtures/healthy/healthy.json", import.meta.url), "utf8");

it.each(Object.entries(JSON.parse(text) as Readonly<Record<string, Kept>>))("%s", async (_, { references, files }) => {
  const bytes = Object.entries(files ?? {}).map(
    ([name, base64]) => [name, Uint8Array.from(atob(base64), (one) => one.charCodeAt(0))] as const,
  );
  const set = await openMade({ references, files: new Map(bytes) });
  const values = await checkValues(set, { chunks: "all", decoder: inThread }, context());
  expect(values.chunks).toMatchObject({ failed: 0 });
  expect(values.chunks?.decoded).toBeGreaterThan(0);
  const found = causesOfParts(set, [await checkReferences(set, context()), values]).map(explained);
  expect(
    found.filter(({ severity }) => severity !== "info").map(({ title, message }) => `${title}: ${message}`),
  ).toEqual([]);
});

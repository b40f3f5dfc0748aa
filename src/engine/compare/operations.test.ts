import { expect, it } from "vitest";
import { CONTEXT } from "../fixtures/plain-table.ts";
import { createEngine } from "../engine.ts";
import { arrayOf } from "../testing/open-document.ts";

const GROUP = JSON.stringify({ zarr_format: 2 });

async function two(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>) {
  const engine = createEngine();
  const open = async (refs: object): Promise<number> => {
    const text = JSON.stringify({ ".zgroup": GROUP, "x/.zarray": arrayOf([4]), ...refs });
    const source = { kind: "text", text, name: "t" } as const;
    const locations = { rewrites: [], credentials: [], target: undefined, region: undefined, allowPrivate: false };
    const answer = await engine.call("set.open", { source, locations, most: 100 }, CONTEXT);
    if (answer.kind !== "set") throw new Error("a choice");
    return answer.set.id;
  };
  return { engine, set: await open(a), other: await open(b) };
}

const A = { "x/0": ["s3://b/u", 0, 2], "x/1": ["s3://b/u", 2, 2], "x/2": "ab" };
const B = { "x/0": ["s3://b/u", 0, 2], "x/1": ["s3://b/u", 9, 3], "x/3": ["s3://b/u", 4, 2] };

it("lists the chunks with other references, with both, and draws them on the map", async () => {
  const { engine, ...of } = await two(A, B);
  await engine.call("compare.sets", of, CONTEXT);
  const { total, chunks } = await engine.call("compare.chunks", { ...of, path: "x", from: 0, to: 2 }, CONTEXT);
  expect(total).toBe(3);
  expect(chunks).toEqual([
    { coordinates: [1], kind: "elsewhere", a: '["s3://b/u", 2, 2]', b: '["s3://b/u", 9, 3]' },
    { coordinates: [2], kind: "onlyA", a: '"ab"', b: "" },
  ]);
  const spec = { array: "x", rowDimension: undefined, columnDimension: 0, fixed: [0], colour: "change" } as const;
  const window = { rows: { from: 0, to: 1 }, columns: { from: 0, to: 4 }, width: 4, height: 1 };
  const { codes } = await engine.call("table.raster", { set: of.set, spec: { ...spec, ...window } }, CONTEXT);
  expect([...codes]).toEqual([0, 4, 3, 2]);
});

it("says what reading the values takes: what is the same by its reference is not read", async () => {
  const { engine, ...of } = await two(A, B);
  const [cost] = await engine.call("compare.cost", { ...of, mode: "cf" }, CONTEXT);
  expect(cost).toEqual({ path: "x", candidates: 4, rest: 3, bytes: 2 + 3 + 2, sized: 3 });
});

it("closes the other set with the set, and where another is compared or none", async () => {
  const { engine, ...of } = await two(A, B);
  const isOpen = (set: number) =>
    engine.call("set.summary", { set }, CONTEXT).then(
      () => true,
      () => false,
    );
  await engine.call("compare.sets", of, CONTEXT);
  await engine.call("compare.sets", of, CONTEXT);
  expect(await isOpen(of.other)).toBe(true);
  await engine.call("compare.forget", { set: of.set }, CONTEXT);
  expect([await isOpen(of.set), await isOpen(of.other)]).toEqual([true, false]);
  const next = await two(A, B);
  await next.engine.call("compare.sets", { set: next.set, other: next.other }, CONTEXT);
  await next.engine.call("set.close", { set: next.set }, CONTEXT);
  await expect(next.engine.call("set.summary", { set: next.other }, CONTEXT)).rejects.toThrow();
});

/** Tests of the page's requests about expectations: writing one, its cost, and comparing with it from then on. */
import { expect, it } from "vitest";
import { createEngine } from "../engine.ts";
import { CONTEXT } from "../fixtures/plain-table.ts";
import { openLocal } from "../testing/open-files.ts";

const zarray = (shape: readonly number[], chunks = shape) =>
  JSON.stringify({
    zarr_format: 2,
    shape,
    chunks,
    dtype: "|u1",
    compressor: null,
    filters: null,
    order: "C",
    fill_value: 0,
  });

const axis = '{"_ARRAY_DIMENSIONS": ["x"]}';

it("an expectation is written, costed and compared with, until it is another", async () => {
  const engine = createEngine();
  const refs = {
    "x/.zarray": zarray([3]),
    "x/.zattrs": axis,
    "x/0": ["f.bin", 0, 3],
    "a/.zarray": zarray([3], [1]),
    "a/0": "x",
    "a/1": "x",
  };
  const set = await openLocal(engine, {
    "x.json": JSON.stringify({ version: 1, refs }),
    "f.bin": "\u0001\u0002\u0003",
  });
  const call = (expected: { name: string; text: string } | undefined, isAsked = false) =>
    engine.call("check.expect", { set, expected, isAsked }, CONTEXT);
  const state = () => engine.call("check.state", { set }, CONTEXT);
  const cost = { coordinates: 1, requests: 1, bytes: 3, unknown: 0 };
  expect(await engine.call("check.expectationCost", { set }, CONTEXT)).toEqual(cost);

  const text = await engine.call("check.writeExpectation", { set }, CONTEXT);
  expect(JSON.parse(text)).toMatchObject({ coordinates: { x: { first: 1, last: 3, step: 1 } } });
  await call({ name: "as-is.json", text });
  expect((await state()).expectation).toEqual({
    name: "as-is.json",
    arrays: 2,
    coordinates: 1,
    met: true,
    mayLack: 1,
    mayLackIn: ["a"],
  });

  const more = text.replace('"last": 3', '"last": 9').replace('"complete": false', '"complete": true');
  await call({ name: "more.json", text: more });
  const { findings, expectation } = await state();
  expect(expectation).toMatchObject({ name: "more.json", met: false, mayLack: 0 });
  expect(findings.map(({ code }) => code)).toEqual(expect.arrayContaining(["expected-chunks", "expected-range"]));
  expect(await engine.call("check.expectationCost", { set, text: more }, CONTEXT)).toEqual(cost);

  await expect(call({ name: "bad.json", text: "{" })).rejects.toMatchObject({
    finding: { code: "expectation-invalid" },
  });
  // Invalid expectations do not bring the former ones back.
  expect((await state()).expectation).toBeUndefined();
  await call({ name: "more.json", text: more });
  await call(undefined);
  expect((await state()).expectation).toBeUndefined();
});

it("coordinates that cost much are read only when that is asked for", async () => {
  const engine = createEngine();
  const chunks = Array.from({ length: 9 }, (_, at) => [`x/${at}`, [`f${at}.bin`, 0, 1]] as const);
  const refs = { "x/.zarray": zarray([9], [1]), "x/.zattrs": axis, ...Object.fromEntries(chunks) };
  const files = Object.fromEntries(chunks.map((_, at) => [`f${at}.bin`, String.fromCharCode(at + 1)]));
  const set = await openLocal(engine, { "x.json": JSON.stringify({ version: 1, refs }), ...files });
  const text = '{"refscope": "expectation", "coordinates": {"x": {"first": 1, "last": 9, "step": 1}}}';
  const compared = async (isAsked: boolean) => {
    await engine.call("check.expect", { set, expected: { name: "x.json", text }, isAsked }, CONTEXT);
    return (await engine.call("check.state", { set }, CONTEXT)).expectation?.met;
  };
  expect(await compared(false)).toBeUndefined();
  expect(await compared(true)).toBe(true);
  // Once it was compared, that stays.
  expect(await compared(false)).toBe(true);
});

import { expect, it } from "vitest";
import { answerBytes, errorBytes } from "./answer.ts";

const textOf = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);
const answer = (...refs: (readonly [unknown, unknown])[]) => JSON.parse(textOf(answerBytes(refs, 1e9))) as unknown;

it("keeps order, strings and numbers as they are", () => {
  const refs = [
    ["b", "text"],
    ["1", ["http://a", 5, 7]],
    ["é\uD800\u2028", [null, 0, 1e21]],
  ] as const;
  expect(answer(...refs)).toEqual({ refs });
});

it("says what JSON has no word for", () => {
  expect(answer(["k", ["u", NaN, undefined]], ["l", -Infinity], ["m", () => 1], ["n", 2n])).toEqual({
    refs: [
      ["k", ["u", { $: "NaN" }, { $: "undefined" }]],
      ["l", { $: "-Infinity" }],
      ["m", { $: "function" }],
      ["n", { $: "bigint" }],
    ],
  });
});

it("cannot be made to say it by a document's own object", () => {
  expect(answer(["k", { $: "NaN" }])).toEqual({ refs: [["k", { $: "object", entries: [["$", "NaN"]] }]] });
});

it("ends where containers are nested without end", () => {
  const loop: unknown[] = [];
  loop.push(loop);
  expect(JSON.stringify(answer(["k", loop]))).toContain(`{"$":"deep"}`);
});

it("gives up over the cap, and not under it", () => {
  const refs = [["k", "é".repeat(2 ** 20)] as const];
  const size = answerBytes(refs, 1e9)?.byteLength ?? 0;
  expect(size).toBe(2 ** 21 + `{"refs":[["k",""]]}`.length);
  expect(answerBytes(refs, size)?.byteLength).toBe(size);
  expect(answerBytes(refs, size - 1)).toBeUndefined();
});

it("writes many references as JSON.stringify would", () => {
  const refs = Array.from({ length: 60_000 }, (_, at) => [`a/${at}`, [`http://host/${at}`, at, 10]] as const);
  expect(textOf(answerBytes(refs, 1e9))).toBe(JSON.stringify({ refs }));
});

it("reports errors, whatever was thrown", () => {
  const hostile = new Error("x");
  Object.defineProperty(hostile, "message", {
    get: () => {
      throw new Error("no");
    },
  });
  expect(JSON.parse(textOf(errorBytes(new TypeError("no includes"))))).toEqual({
    error: { name: "TypeError", message: "no includes" },
  });
  expect(JSON.parse(textOf(errorBytes("text")))).toEqual({ error: { name: "Error", message: "text" } });
  expect(JSON.parse(textOf(errorBytes(hostile)))).toHaveProperty("error.name", "Error");
});

import { expect, it } from "vitest";
import { oneByOne } from "./card-reader.ts";

const firstOf = (waiting: ReadonlyMap<string, string>) => [...waiting.keys()].sort()[0];
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

it("does one piece after another, in the order that is asked for", async () => {
  const done: string[] = [];
  let atOnce = 0;
  const work = oneByOne<string>(firstOf, async (piece) => {
    atOnce += 1;
    expect(atOnce).toBe(1);
    await Promise.resolve();
    done.push(piece);
    atOnce -= 1;
  });
  work.add("b", "B");
  work.add("a", "A");
  await settled();
  expect(done).toEqual([]);
  work.start();
  work.add("0", "first");
  await settled();
  expect(done).toEqual(["first", "A", "B"]);
  expect(work.has("a")).toBe(false);
});

it("stopped, it keeps what was not finished for the next start", async () => {
  const done: string[] = [];
  const work = oneByOne<string>(firstOf, async (piece, signal) => {
    await settled();
    if (!signal.aborted) done.push(piece);
  });
  const stop = work.start();
  work.add("a", "A");
  await Promise.resolve();
  stop();
  // Started again before the first has noticed.
  const stopAgain = work.start();
  await settled();
  await settled();
  expect(work.has("a") || done.includes("A")).toBe(true);
  await settled();
  await settled();
  expect(done).toEqual(["A"]);
  stopAgain();
});

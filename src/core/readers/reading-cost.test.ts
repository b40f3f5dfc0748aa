import { expect, it } from "vitest";
import { readerCost, secondsOf } from "./reading-cost.ts";
import { READING_RULES } from "./reading-rules.ts";

const MIB = 1024 ** 2;
const costOf = (reader: string, ranges: readonly (readonly [offset: number, length: number])[]) => {
  const rule = READING_RULES.find((one) => one.reader === reader);
  if (rule === undefined) throw new Error(reader);
  const targets = [{ ranges: ranges.map(([offset, length]) => ({ offset, length })) }];
  const { requests, bytes, overRead, merged } =
    readerCost(rule, { targets, absent: 0, isSharded: false, share: 1 }) ?? {};
  return { requests, bytes, overRead, merged };
};

it("fsspec merges across gaps of 64 kB and no more, the page up to 64 KiB", () => {
  const near = [
    [0, 100],
    [64_100, 100],
  ] as const;
  expect(costOf("zarr-python 2", near)).toEqual({ requests: 1, bytes: 64_200, overRead: 64_000, merged: 2 });
  const far = [
    [0, 100],
    [64_101, 100],
  ] as const;
  expect(costOf("zarr-python 2", far)).toEqual({ requests: 2, bytes: 200, overRead: 0, merged: 0 });
  expect(costOf("This page", far).requests).toBe(1);
});

it("Icechunk asks for a chunk above 12 MiB in parts, eighteen at most", () => {
  expect(costOf("Icechunk", [[0, 12 * MIB]]).requests).toBe(1);
  expect(costOf("Icechunk", [[0, 12 * MIB + 1]])).toMatchObject({ requests: 2, bytes: 12 * MIB + 1 });
  expect(costOf("Icechunk", [[0, 900 * MIB]]).requests).toBe(18);
});

it("GDAL reads whole blocks, keeps them, and asks for the file's length", () => {
  const of = costOf("GDAL", [
    [100, 50],
    [200, 50],
    [16_380, 10],
  ]);
  expect(of).toEqual({ requests: 3, bytes: 32_768, overRead: 32_658, merged: 1 });
});

it("time is rounds of waiting and bytes at the host's speed", () => {
  const [rule] = READING_RULES;
  if (rule === undefined) throw new Error("no rule");
  const cost = { rule, requests: 25, bytes: 4e6, overRead: 0, merged: 0 };
  expect(secondsOf(cost, { host: "h", requests: 9, latency: 100, bytesPerSecond: 2e6 })).toBeCloseTo(2.3);
});

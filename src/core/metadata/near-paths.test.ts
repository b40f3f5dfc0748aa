import { expect, test } from "vitest";
import { nearPaths } from "./hierarchy-path.ts";

test("the own group first, then those above it up to the root", () => {
  expect([...nearPaths("a/b/temp", "time")]).toEqual(["a/b/time", "a/time", "time"]);
  expect([...nearPaths("temp", "time")]).toEqual(["time"]);
});

import { expect, it } from "vitest";
import { accessGaps } from "./access-words.ts";
import type { AccessPlace } from "./access-recipe.ts";

const gaps = (
  places: readonly AccessPlace[],
  asked = 1,
  kind: "fsspec" | "icechunk" = "fsspec",
  location = "https://h/refs.json",
) => accessGaps({ kind, location, places }, asked).join(" ");

it("says what answers did not show, and what has to be filled in", () => {
  expect(gaps([])).toMatch(/^No reference points outside/);
  expect(gaps([{ scheme: "s3", prefix: "b", need: "anonymous" }])).toBe("");
  expect(gaps([{ scheme: "s3", prefix: "b", need: "anonymous" }], 0)).toMatch(/No target was asked yet/);
  expect(gaps([{ scheme: "", prefix: "", need: "anonymous" }], 0)).toMatch(/^Some targets are paths/);
  expect(gaps([{ scheme: "s3", prefix: "b", need: "account" }])).toMatch(/from the environment/);
  expect(gaps([{ scheme: "s3", prefix: "b", need: "requester-pays" }])).toMatch(/whoever reads pay/);
  expect(gaps([{ scheme: "https", prefix: "h", need: "token" }])).toMatch(/in place of TOKEN/);
  expect(gaps([{ scheme: "abfs", prefix: "b", need: "anonymous" }])).toMatch(/in place of ACCOUNT/);
  expect(gaps([{ scheme: "s3", prefix: "s3://b/", need: "anonymous", store: "s3" }], 1, "icechunk")).toMatch(/region/);
  expect(gaps([{ scheme: "s3", prefix: "b", need: "anonymous" }], 1, "fsspec", "ocean.json")).toBe(
    "Put the path of your file in place of ocean.json.",
  );
});

import { expect, it } from "vitest";
import { valueEvidence } from "#core/values/value-evidence.ts";
import { VALUE_RULES } from "./check-values.ts";

/** Bytes around chunks tell it, no values. */
const NOT_SEEN = ["shard-index-checksum-undeclared"];

it("whatever is found by comparing values has a plot that shows it", () => {
  const codes = VALUE_RULES.flatMap((rule) => rule.codes);
  expect(codes.filter((code) => valueEvidence(code) === undefined)).toEqual(NOT_SEEN);
});

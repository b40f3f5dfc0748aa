import { expect, test } from "vitest";
import type { Reading } from "#core/reading.ts";
import { declaredRange, movedText, signedText } from "./trial/TrialPanel.tsx";

const range = { state: "range", written: '["a b.nc", 100, 20]', stages: [] } as unknown as Reading;
const inline = { state: "inline", written: '"…"', stages: [{ id: "stored", bytesOut: 7 }] } as unknown as Reading;

test("a moved range is written as a reference; what has no range begins at 0", () => {
  expect(declaredRange(range)).toEqual({ offset: 100, length: 20 });
  expect(movedText(range, { shift: -4, lengthen: 2 })).toBe('["a b.nc", 96, 22]');
  expect(declaredRange(inline)).toEqual({ offset: 0, length: 7 });
  expect(movedText(inline, { shift: 1, lengthen: 0 })).toBeUndefined();
});

test("signs", () => {
  expect([0, 12, -4, 1234].map(signedText)).toEqual(["", "+12", "−4", "+1,234"]);
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cellText, cellTitle, columnsSeen, windowAround } from "./ValueTable.tsx";

describe("what is seen", () => {
  it("covers the columns in sight and stays inside", () => {
    expect(columnsSeen(0, 300, 80, 1000)).toEqual({ from: 0, to: 6 });
    expect(columnsSeen(800, 300, 80, 1000)).toEqual({ from: 8, to: 16 });
    expect(columnsSeen(0, 300, 80, 2)).toEqual({ from: 0, to: 2 });
    expect(columnsSeen(5000, 300, 80, 2)).toEqual({ from: 2, to: 2 });
  });
  it("asks for windows that contain what is seen", () => {
    fc.assert(
      fc.property(fc.nat(10_000), fc.nat(100), fc.nat(10_000), (from, length, more) => {
        const window = windowAround({ from, to: from + length }, from + length + more);
        expect(window.from).toBeLessThanOrEqual(from);
        expect(window.to).toBeGreaterThanOrEqual(from + length);
        expect(window.to).toBeLessThanOrEqual(from + length + more);
      }),
    );
  });
});

describe("cellText", () => {
  it("distinguishes missing from not yet known", () => {
    const window = { rowFrom: 10, columnFrom: 5, texts: [["1", null]] };
    expect(cellText(window, { row: 10, column: 5 })).toBe("1");
    expect(cellText(window, { row: 10, column: 6 })).toBeNull();
    expect(cellText(window, { row: 11, column: 6 })).toBeUndefined();
    expect(cellText(undefined, { row: 0, column: 0 })).toBeUndefined();
  });
});

describe("cellTitle", () => {
  it("adds the integer behind a date", () => {
    const window = { rowFrom: 1, columnFrom: 0, texts: [["1970-01-02", "NaT", null]], counts: [["1", "-9", null]] };
    expect(cellTitle(window, { row: 1, column: 0 })).toBe("1970-01-02 (stored as 1)");
    expect(cellTitle(window, { row: 1, column: 2 })).toBeUndefined();
    expect(cellTitle({ ...window, texts: [["5"]], counts: [["5"]] }, { row: 1, column: 0 })).toBe("5");
    expect(cellTitle({ rowFrom: 0, columnFrom: 0, texts: [["a"]] }, { row: 0, column: 0 })).toBe("a");
  });
});

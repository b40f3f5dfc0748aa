import { describe, expect, it } from "vitest";
import { columnsOf, fitted } from "./columns.ts";

describe("columns", () => {
  it("are the terminal's, else the environment's, else a hundred; never under forty", () => {
    expect(columnsOf({ columns: 72 }, { COLUMNS: "90" })).toBe(72);
    expect(columnsOf({}, { COLUMNS: "90" })).toBe(90);
    expect(columnsOf({}, { COLUMNS: "x" })).toBe(100);
    expect(columnsOf({ columns: 7 }, {})).toBe(40);
  });
});

describe("lines that fit", () => {
  it("go on below with their indentation, or with what they are given", () => {
    expect(fitted("  one two three four", 12)).toEqual(["  one two", "    three", "    four"]);
    expect(fitted("a │ one two", 8, "  │ ")).toEqual(["a │ one", "  │ two"]);
    expect(fitted("short", 40)).toEqual(["short"]);
    expect(fitted("✓ Opens    Yes. All", 15, "  ")).toEqual(["✓ Opens    Yes.", "  All"]);
  });

  it("leave out the middle of an address that is too long, and nothing of any other word", () => {
    const [line = ""] = fitted(`${"x".repeat(4)} https://example.org/${"a".repeat(40)}/end.nc`, 40, "").slice(1);
    expect(line).toMatch(/^https:\/\/.*….*\/end\.nc$/);
    expect(Array.from(line)).toHaveLength(40);
    const key = `group/${"k".repeat(90)}`;
    const lines = fitted(key, 40, "");
    expect(lines.join("")).toBe(key);
    expect(lines.every(({ length }) => length <= 40)).toBe(true);
  });

  it("do not count what colours a word", () => {
    const red = (text: string) => `\u001b[31m${text}\u001b[39m`;
    expect(fitted(`${red("one")} ${red("two")}`, 7)).toHaveLength(1);
    expect(fitted(`${red("one")} ${red("two")}`, 6, "")).toEqual([red("one"), red("two")]);
  });
});

import { describe, expect, it } from "vitest";
import { editWords, changeOf, problemOf } from "./TableEditsDialog.tsx";

describe("shifting the ranges of an array", () => {
  const draft = (value: string) => ({ kind: "shift-ranges", what: "sst", value }) as const;

  it("is typed as one number or two", () => {
    expect(changeOf(draft("12"))).toEqual({ kind: "shift-ranges", path: "sst", shift: 12, lengthen: 0 });
    expect(changeOf(draft("-4, 4"))).toEqual({ kind: "shift-ranges", path: "sst", shift: -4, lengthen: 4 });
    expect(changeOf(draft("−4 4"))).toMatchObject({ shift: -4, lengthen: 4 });
  });

  it("says what is wrong with anything else", () => {
    for (const value of ["", "x", "1.5", "0", "0, 0", "1, 2, 3", "9".repeat(20)])
      expect(problemOf(draft(value), false)).toMatch(/^Enter the bytes to add/);
    expect(problemOf(draft("12"), false)).toBeUndefined();
    expect(problemOf({ ...draft("12"), what: "" }, false)).toBe("Fill in the first field.");
    expect(problemOf({ ...draft("12"), what: "" }, true)).toBeUndefined();
  });

  it("is put into words", () => {
    const words = (shift: number, lengthen: number) =>
      editWords({ kind: "shift-ranges", path: "sst", shift, lengthen });
    expect(words(12, 0)).toBe("Ranges of sst: 12 bytes later");
    expect(words(-1, 1234)).toBe("Ranges of sst: 1 byte earlier, 1,234 bytes longer");
  });
});

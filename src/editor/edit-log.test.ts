import { describe, expect, test } from "vitest";
import { EditLog, type LoggedChange } from "./edit-log.ts";

function apply(text: string, changes: readonly (LoggedChange & { readonly text: string })[]): string {
  let result = text;
  for (const { start, removed, text: added } of changes.toSorted((a, b) => b.start - a.start)) {
    result = result.slice(0, start) + added + result.slice(start + removed);
  }
  return result;
}

describe("the log of edits", () => {
  test("a place moves with what is edited before it", () => {
    const log = new EditLog(1);
    log.add(2, [{ start: 0, removed: 0, added: 3 }]);
    log.add(3, [{ start: 1, removed: 2, added: 0 }]);
    expect(log.move({ start: 10, end: 12 }, 1)).toEqual({ start: 11, end: 13, touched: false });
    expect(log.move({ start: 10, end: 12 }, 2)).toEqual({ start: 8, end: 10, touched: false });
    expect(log.move({ start: 10, end: 12 }, 3)).toEqual({ start: 10, end: 12, touched: false });
  });

  test("several changes of one edit are in places of the text before it", () => {
    const before = "aa bb cc dd";
    const changes = [
      { start: 0, removed: 2, added: 1, text: "x" },
      { start: 9, removed: 2, added: 4, text: "yyyy" },
      { start: 3, removed: 0, added: 2, text: "zz" },
    ];
    const log = new EditLog(1);
    log.add(2, changes);
    const moved = log.move({ start: 6, end: 8 }, 1);
    expect(apply(before, changes).slice(moved?.start, moved?.end)).toBe("cc");
  });

  test("an edit in it or beside it touches it", () => {
    const touched = (start: number, removed: number) => {
      const log = new EditLog(1);
      log.add(2, [{ start, removed, added: 1 }]);
      return log.move({ start: 5, end: 8 }, 1)?.touched;
    };
    expect([touched(0, 4), touched(0, 5), touched(6, 1), touched(8, 0), touched(9, 1)]).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
  });

  test("what is removed leaves an empty place", () => {
    const log = new EditLog(1);
    log.add(2, [{ start: 2, removed: 20, added: 0 }]);
    expect(log.move({ start: 5, end: 8 }, 1)).toEqual({ start: 2, end: 2, touched: true });
  });

  test("versions from before the log are unknown, also once it forgets", () => {
    const log = new EditLog(5);
    expect(log.move({ start: 0, end: 1 }, 4)).toBeUndefined();
    for (let version = 6; version < 4100; version += 1) log.add(version, [{ start: 0, removed: 0, added: 1 }]);
    expect(log.knows(5)).toBe(false);
    expect(log.move({ start: 0, end: 1 }, 4098)).toEqual({ start: 0, end: 2, touched: true });
  });
});

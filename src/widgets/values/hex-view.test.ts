import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  byteAt,
  characterOf,
  classOf,
  hexText,
  movedSelection,
  offsetText,
  parseOffset,
  selectedRange,
  windowFor,
} from "./hex-view.ts";

describe("hex text", () => {
  it("writes offsets with as many digits as the last one needs", () => {
    expect(offsetText(0x1f, 100)).toBe("0000001f");
    expect(offsetText(0, 0x1_0000_0000)).toBe("00000000");
    expect(offsetText(0x1f, 0x1_0000_0001)).toBe("00000001f");
    expect(offsetText(0, 0)).toBe("00000000");
  });
  it("writes bytes as two digits and prints only printable ASCII", () => {
    expect(hexText(Uint8Array.of(0, 9, 0x78, 255))).toBe("00 09 78 ff");
    expect([0, 31, 32, 65, 126, 127, 200].map(characterOf).join("")).toBe(".. A~..");
    expect([0, 65, 200].map(classOf)).toEqual(["zero", "printable", "other"]);
  });
});

describe("parseOffset", () => {
  it("takes decimal and hexadecimal offsets that lie inside", () => {
    expect(parseOffset("151,487", 200_000)).toBe(151_487);
    expect(parseOffset(" 0x1F ", 32)).toBe(31);
    expect(parseOffset("32", 32)).toBeUndefined();
    for (const bad of ["", "-1", "1.5", "1f", "0x", "1e3"]) expect(parseOffset(bad, 1e9), bad).toBeUndefined();
  });
});

describe("byteAt", () => {
  it("answers only what the window has", () => {
    const window = { from: 10, bytes: Uint8Array.of(1, 2) };
    expect([9, 10, 11, 12].map((offset) => byteAt(window, offset))).toEqual([undefined, 1, 2, undefined]);
  });
});

describe("selection", () => {
  const geometry = { total: 40, bytesPerRow: 16, rowsPerPage: 2 };
  const press = (key: string, cursor: number, shift = false, ctrl = false) =>
    movedSelection({ key, shift, ctrl }, { cursor, anchor: cursor }, geometry);

  it("moves by byte, row, page and to the ends", () => {
    expect(press("ArrowDown", 3)?.cursor).toBe(19);
    expect(press("ArrowDown", 30)?.cursor).toBe(30);
    expect(press("End", 3)?.cursor).toBe(15);
    expect(press("End", 35)?.cursor).toBe(39);
    expect(press("End", 3, false, true)?.cursor).toBe(39);
    expect(press("PageDown", 3)?.cursor).toBe(35);
    expect(press("PageUp", 20)?.cursor).toBe(4);
    expect(press("q", 3)).toBeUndefined();
  });
  it("extends with shift", () => {
    const extended = press("ArrowLeft", 3, true);
    expect(extended).toEqual({ cursor: 2, anchor: 3 });
    expect(selectedRange(extended!)).toEqual({ from: 2, last: 3 });
  });
  it("never leaves the bytes", () => {
    const keys = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End"];
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500 }),
        fc.nat(499),
        fc.constantFrom(...keys),
        fc.boolean(),
        (total, at, key, ctrl) => {
          const cursor = at % total;
          const moved = movedSelection(
            { key, ctrl, shift: false },
            { cursor, anchor: cursor },
            { total, bytesPerRow: 8, rowsPerPage: 5 },
          );
          expect(moved!.cursor).toBeGreaterThanOrEqual(0);
          expect(moved!.cursor).toBeLessThan(total);
        },
      ),
    );
  });
});

describe("windowFor", () => {
  it("covers what is seen and stays inside", () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.nat(5000), fc.nat(1_000_000), (from, length, more) => {
        const total = from + length + more;
        const window = windowFor(from, from + length, total);
        expect(window.from).toBeLessThanOrEqual(from);
        expect(window.to).toBeGreaterThanOrEqual(from + length);
        expect(window.to).toBeLessThanOrEqual(total);
        expect(window.to - window.from).toBeLessThan(3 * Math.max(length, 2048) + 2 * 2048);
      }),
    );
  });
});

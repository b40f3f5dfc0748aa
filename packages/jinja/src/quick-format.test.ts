/** The short way for plain formats gives what the long way gives, or nothing. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Budget } from "./template-error.ts";
import { percentFormat, strFormat } from "./python/index.ts";
import { quickBraces, quickPercent } from "./quick-format.ts";
import { PyTuple } from "./value.ts";

const piece = fc.constantFrom("a/", "é", "", "%d", "%03d", "%5d", "%s", "%2d.", "%08d", "%5s");
const braces = fc.constantFrom("a/", "é", "", "{}", "{:03d}", "{:5d}", "{:d}");
const value = fc.oneof(fc.integer(), fc.constantFrom("x", "😀", 0, -1, 7));

describe("plain formats", () => {
  it("are known", () => {
    expect(quickPercent("v/%03d.nc")?.(7)).toBe("v/007.nc");
    expect(quickPercent("%d/%s")?.(new PyTuple([-1, "a"]))).toBe("-1/a");
    expect(quickBraces("{:03d}/{}")?.([-5, "a"])).toBe("-05/a");
  });

  it.each(["%%", "%-5d", "%x", "100%", "%d %(a)s", "%005d%", "text"])("%s is left to the long way", (format) => {
    expect(quickPercent(format)).toBeUndefined();
  });

  it.each(["{0}", "{a}", "{{}}", "{:>5}", "{!r}", "}", "text"])("%s is left to the long way", (format) => {
    expect(quickBraces(format)).toBeUndefined();
  });

  it("agree with the long way", () => {
    fc.assert(
      fc.property(fc.array(piece), fc.array(value), (pieces, values) => {
        const quick = quickPercent(pieces.join(""))?.(new PyTuple(values));
        if (quick !== undefined) expect(quick).toBe(percentFormat(pieces.join(""), new PyTuple(values), new Budget()));
      }),
    );
    fc.assert(
      fc.property(fc.array(braces), fc.array(value), (pieces, values) => {
        const quick = quickBraces(pieces.join(""))?.(values);
        const long = (): string =>
          strFormat(
            pieces.join(""),
            values,
            () => undefined,
            (object) => object,
            new Budget(),
          );
        if (quick !== undefined) expect(quick).toBe(long());
      }),
    );
  });
});

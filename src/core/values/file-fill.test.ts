/** Elements of data files that were never stored, for all formats. */
import { expect, it } from "vitest";
import { fileFill, quotedNumber } from "./file-fill.ts";

const attributes = new Map([
  ["_FillValue", "-9"],
  ["units", '"K"'],
]);

it.each([
  // h5py: a dataset with fillvalue=-1 and an attribute of its own reads -1 where nothing was written.
  [
    "the file's own word, where both differ and chunks are absent",
    { own: "-9", stored: "-1", isWhole: false },
    "-1",
    true,
  ],
  ["the attribute, where no element is filled", { own: "-9", stored: "-1", isWhole: true }, "-9", false],
  ["the attribute, where both agree", { own: "-9", stored: "-9.0", isWhole: false }, "-9", false],
  ["the attribute, where the format has no other word", { own: "-9", stored: undefined, isWhole: false }, "-9", false],
  [
    "the attribute with all its digits",
    { own: "9.969209968386869e+36", stored: "9.96921e+36", isWhole: false },
    "9.969209968386869e+36",
    false,
  ],
  ["the file's own word, where there is no attribute", { own: undefined, stored: "0", isWhole: false }, "0", true],
  ["nothing, where the default fills no element", { own: undefined, stored: "0", isWhole: true }, "null", true],
  ["nothing, where nothing is said", { own: undefined, stored: undefined, isWhole: false }, "null", true],
] as const)("is %s", (_, given, fill, keepsAttribute) => {
  const decided = fileFill({ attributes, ...given, isDefault: true });
  expect(decided).toMatchObject({ fill });
  expect([decided.attributes.has("_FillValue"), decided.hasFillAttribute]).toEqual(
    keepsAttribute ? [true, undefined] : [false, true],
  );
  expect(decided.attributes.get("units")).toBe('"K"');
});

it("is the file's own word of what is stored whole, where it is more than a default", () => {
  expect(fileFill({ attributes, own: undefined, stored: "7", isWhole: true, isDefault: false }).fill).toBe("7");
});

it("quotes what JSON has no number for", () => {
  expect(["1.5", "NaN", "-Infinity", undefined].map(quotedNumber)).toEqual(["1.5", '"NaN"', '"-Infinity"', "null"]);
});

import { describe, expect, it } from "vitest";
import { parseJson } from "../json/parse-json.ts";
import suites from "./fixtures/ome-suites.json" with { type: "json" };
import { omeMusts, omePlace } from "./ome-musts.ts";
import { levelsOf } from "./read-levels.ts";

/** Cases that the text judges otherwise than the suite's schema: a row and a column in turn, a scale of two for three axes. */
const BY_TEXT = new Set([
  "mismatch_axes_units",
  "minimal_no_acquisitions",
  "minimal_acquisitions",
  "non_alphanumeric_row",
]);
/** A version is recommended only, but Neuroglancer needs it; of other versions nothing is known. */
const OTHERWISE = new Set(["missing_version", "invalid_version", "no_multiscales"]);

describe("OME-NGFF's own suites", () => {
  it.each(suites)("$version $suite $name", ({ version, suite, name, valid, attributes }) => {
    const { value } = parseJson(JSON.stringify(attributes));
    const place = omePlace(value);
    const musts = place?.version === undefined ? [] : omeMusts(place, version === "0.5" ? 3 : 2);
    const found = [...musts, ...levelsOf("", value).findings];
    if (version === "0.4" && OTHERWISE.has(name)) return;
    expect(found.length > 0).toBe(!valid || (suite !== "well" && BY_TEXT.has(name)));
  });
});

import { expect, it } from "vitest";
import { embeddedSets } from "./embedded.ts";

const scalar = (dtype: string, bytes: ArrayBuffer, attributes: object, name: string) => ({
  [`${name}/.zarray`]: JSON.stringify({ shape: [], chunks: [], dtype, compressor: null, filters: null }),
  [`${name}/0`]: `base64:${Buffer.from(bytes).toString("base64")}`,
  [`${name}/.zattrs`]: JSON.stringify({ _ARRAY_DIMENSIONS: [], ...attributes }),
});

const message = (level: number, step: number) => ({
  version: 1,
  refs: {
    ".zattrs": JSON.stringify({ coordinates: "heightAboveGround step valid_time" }),
    "u/.zarray": JSON.stringify({ shape: [2, 2], chunks: [2, 2], dtype: "<f4" }),
    "u/.zattrs": JSON.stringify({
      GRIB_name: "U wind",
      GRIB_typeOfLevel: "heightAboveGround",
      GRIB_stepType: "instant",
    }),
    ...scalar("<f8", Float64Array.of(level).buffer, { units: "m" }, "heightAboveGround"),
    ...scalar("<f8", Float64Array.of(step).buffer, { units: "hours" }, "step"),
    ...scalar(
      "<i8",
      BigInt64Array.of(BigInt(1694808000 + step * 3600)).buffer,
      { units: "seconds since 1970-01-01T00:00:00" },
      "valid_time",
    ),
  },
});

it("messages of one variable are told apart by their level, step and time", () => {
  const bytes = new TextEncoder().encode(JSON.stringify([message(10, 0), message(80, 0.25)]));
  const [first, second] = embeddedSets(bytes, 0, bytes.length, "", undefined);
  expect(first?.detail).toContain("U wind, heightAboveGround 10 m, instant, step 0 hours, 2023-09-15 20:00");
  expect(second?.detail).toContain("heightAboveGround 80 m, instant, step 0.25 hours, 2023-09-15 20:15");
});

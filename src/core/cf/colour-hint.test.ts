import { expect, it } from "vitest";
import type { JsonValue } from "../json/json.ts";
import { colourHint } from "./colour-hint.ts";

const hintOf = (attributes: Record<string, JsonValue>) => colourHint(new Map(Object.entries(attributes)));

it("velocities, anomalies and differences are about zero; speeds, directions and temperatures are not", () => {
  for (const name of ["eastward_wind", "sea_surface_height_anomaly", "upward_air_velocity"]) {
    expect(hintOf({ standard_name: name }), name).toEqual({ kind: "signed" });
  }
  expect(hintOf({ long_name: "eastward current" })).toEqual({ kind: "signed" });
  for (const name of ["wind_speed", "air_temperature", "eastward_wind_standard_error", "surface_downward_radiation"]) {
    expect(hintOf({ standard_name: name }), name).toBeUndefined();
  }
});

it("ice is blue, classes have their names", () => {
  expect(hintOf({ long_name: "sea ice fraction" })).toEqual({ kind: "cover" });
  const flags = { flag_values: [1, 2, 9], flag_meanings: "open_water land no_data" };
  expect(hintOf(flags)).toEqual({ kind: "flags", values: [1, 2, 9], meanings: ["open water", "land", "no data"] });
  expect(hintOf({ flag_values: "1b, 2b", flag_meanings: "one" })).toMatchObject({ meanings: ["1", "2"] });
  // Bits are not classes; nor is what is no number, or no text.
  expect(hintOf({ flag_values: [1, 2], flag_masks: [1, 2] })).toBeUndefined();
  expect(hintOf({ flag_values: ["a", "b"], flag_meanings: 3 })).toBeUndefined();
  expect(colourHint(undefined)).toBeUndefined();
});

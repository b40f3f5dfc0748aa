import { expect, it } from "vitest";
import { pastVerdicts, worstAnswer } from "./verdict-history.ts";

it("reads the checks of a set, with what changed, and leaves out what is none", () => {
  const entry = (date: string, values: string, more = {}) => ({
    set: "s3://b/ocean.json",
    date,
    verdict: { opens: "yes", values, readers: "not-checked" },
    problems: 0,
    ...more,
  });
  const file = [
    entry("2026-11-01T03:17:00Z", "yes"),
    entry("2026-11-02T03:17:00Z", "yes", { set: "other.json" }),
    entry("2026-11-03T03:17:00Z", "no", { problems: 2, firstTarget: "a.nc" }),
    entry("soon", "no"),
    null,
    { set: "ocean.json", date: "2026-11-04", verdict: null },
  ];
  const past = pastVerdicts(JSON.stringify(file), "https://h/ocean.json?x=1");
  expect(past.map((one) => [one.date.slice(0, 10), worstAnswer(one), one.changed, one.firstTarget])).toEqual([
    ["2026-11-01", "yes", ["opens", "values", "readers"], undefined],
    ["2026-11-03", "no", ["values"], "a.nc"],
    ["2026-11-04", "not-checked", ["opens", "values", "readers"], undefined],
  ]);
  for (const text of ["", "{}", "nothing", '["a"]']) expect(pastVerdicts(text, "ocean.json")).toEqual([]);
});

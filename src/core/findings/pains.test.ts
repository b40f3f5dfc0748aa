import { expect, it } from "vitest";
import { CATALOGUE } from "./catalogue/index.ts";
import { PAINS } from "./pains.ts";

it("each of twenty-five troubles has codes that catch it, or says why it cannot be seen", () => {
  expect(PAINS.map(({ number }) => number)).toEqual(Array.from({ length: 25 }, (_, at) => at + 1));
  for (const { codes } of PAINS) {
    expect(codes.length).toBeGreaterThan(0);
    for (const code of codes) expect(CATALOGUE).toHaveProperty(code);
  }
  expect(PAINS.filter(({ planted }) => planted !== undefined).length).toBeGreaterThanOrEqual(22);
});

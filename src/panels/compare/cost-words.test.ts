import { expect, it } from "vitest";
import { costWords } from "./ValuesBar.tsx";

const cost = (rest: number, bytes: number, sized = rest) => ({ path: "a", candidates: 500, rest, bytes, sized });

it("says what comparing values takes before it is begun", () => {
  expect(costWords([cost(3, 3000), cost(0, 0)], 100)).toBe(
    "Reads 3 chunks of 1 array that may differ: 3,000 B from both.",
  );
  expect(costWords([cost(400, 4000), cost(50, 500)], 100)).toBe(
    "Reads a random 150 of 450 chunks of 2 arrays that may differ: about 1,500 B from both.",
  );
  expect(costWords([cost(400, 4000)], "all")).toBe("Reads 400 chunks of 1 array that may differ: 4,000 B from both.");
  expect(costWords([cost(4, 20, 2)], 100)).toContain("at least 20 B");
  expect(costWords([cost(4, 0, 0)], 100)).toContain("their sizes are not known");
  expect(costWords([cost(0, 0)], "all")).toContain("Nothing to read");
  expect(costWords([{ ...cost(0, 0), candidates: 0 }], "all")).toBe("Nothing can be compared by value.");
});

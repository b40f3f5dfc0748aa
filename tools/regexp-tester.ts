/**
 * A regular expression in `toEqual` or `toMatchObject` stands for texts that it matches. Vitest 4 compares it by its
 * own properties in `toMatchObject`, of which it has none, so that any text passed.
 */
import { expect } from "vitest";

expect.addEqualityTesters([
  (found, wanted) => (wanted instanceof RegExp && typeof found === "string" ? wanted.test(found) : undefined),
]);

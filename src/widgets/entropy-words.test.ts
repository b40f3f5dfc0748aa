import { expect, test } from "vitest";
import { entropyText, entropyWords } from "../panels/chunk/StageLook.tsx";

test("8.00 and 0.00 stand for exactly that", () => {
  expect([8, 7.999, 0, 0.001, 5.4321].map(entropyText)).toEqual(["8.00", "7.99", "0.00", "0.01", "5.43"]);
});

test("what it means", () => {
  expect(entropyWords(0)).toMatch(/same byte/);
  expect(entropyWords(7.9)).toMatch(/compressed/);
});

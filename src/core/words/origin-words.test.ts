import { expect, it } from "vitest";
import { originLines, originText } from "./origin-words.ts";

it("names the part of the document and its values", () => {
  const variables = [
    { name: "i", value: "2" },
    { name: "name", value: "'a b'" },
  ];
  expect(originText({ kind: "gen", gen: 1, variables })).toBe("gen[1] · i=2, name='a b'");
  expect(originText({ kind: "gen", gen: 0, variables: [] })).toBe("gen[0]");
  expect(originText({ kind: "refs", written: "{{u}}/x" })).toBe("refs · {{u}}/x");
  expect(originText({ kind: "refs" })).toBe("refs");
  expect(originText({ kind: "metadata" })).toBe("metadata");
  expect(originText(undefined)).toBe("");
  expect(originLines({ kind: "gen", gen: 1, variables }).slice(1)).toEqual(["i = 2", "name = 'a b'"]);
  expect(originLines({ kind: "refs", written: "{{u}}/x" }).at(-1)).toBe("{{u}}/x");
});

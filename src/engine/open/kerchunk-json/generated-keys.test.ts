import { expect, it } from "vitest";
import { generatedPrefixes } from "./open-document.ts";

it("goes by the text before the first tag", () => {
  const gen = [
    { key: "pre/{{i}}.0", url: "u" },
    { key: "b/0" },
    { key: "{{v}}/0" },
    { key: "c{% if i %}/0{% endif %}" },
    {},
  ];
  expect(generatedPrefixes(JSON.stringify(gen))).toEqual(["pre/", "b/0", "", "c", ""]);
});

it("takes what is not a list for something that may make any key", () => {
  expect(generatedPrefixes("{}")).toEqual([""]);
  expect(generatedPrefixes("[")).toEqual([""]);
  expect(generatedPrefixes("[]")).toEqual([]);
  expect(generatedPrefixes(undefined)).toEqual([]);
});

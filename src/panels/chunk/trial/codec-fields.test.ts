import { describe, expect, it } from "vitest";
import type { CodecDescription, CodecField } from "#core/check/lab.ts";
import { codecFields, configurationProblem, memberText, withMember } from "./trial-draft.ts";

const elementsize: CodecField = { name: "elementsize", kind: "number", often: ["2", "4"] };
const dtype: CodecField = { name: "dtype", kind: "text", often: [] };
const order: CodecField = { name: "order", kind: "json", often: [] };

const description = (id: string, otherNames: readonly string[], fields: readonly CodecField[]): CodecDescription => ({
  id,
  otherNames,
  words: "",
  fields,
});

describe("fields of a codec", () => {
  const known = [
    description("one", ["uno", "two"], [elementsize]),
    description("two", [], [dtype]),
    description("numcodecs.one", [], [order]),
  ];

  it.each([
    ["one", [elementsize]],
    ["uno", [elementsize]],
    ["two", [dtype]],
    ["numcodecs.one", [order]],
    ["numcodecs.two", [dtype]],
    ["three", []],
  ])("are found by its name %s", (name, fields) => {
    expect(codecFields(known, name)).toEqual(fields);
  });
});

describe("configurations", () => {
  it("are JSON objects, or nothing", () => {
    expect(configurationProblem("")).toBeUndefined();
    expect(configurationProblem('{"a": 1}')).toBeUndefined();
    expect(configurationProblem("[1]")).toMatch(/JSON object/);
    expect(configurationProblem('{"a": }')).toMatch(/^This is not JSON/);
  });

  it("show text bare and the rest as JSON", () => {
    const text = '{"elementsize": 4, "dtype": "<i4", "order": [1, 0], "astype": null}';
    expect(["elementsize", "dtype", "order", "astype", "none"].map((name) => memberText(text, name))).toEqual([
      "4",
      "<i4",
      "[1,0]",
      "",
      "",
    ]);
  });

  it("take what is typed, keeping the other members and their order, big integers too", () => {
    expect(withMember('{"big": 9007199254740993, "elementsize": 2}', elementsize, "8")).toBe(
      '{"big":9007199254740993,"elementsize":8}',
    );
    expect(withMember("", dtype, "<i4")).toBe('{"dtype":"<i4"}');
    expect(withMember("{}", order, "[1, 0]")).toBe('{"order":[1,0]}');
    expect(withMember('{"elementsize": 2}', elementsize, " ")).toBe("");
  });

  it("stay as they are where what is typed is not a value of the field", () => {
    expect(withMember("{}", elementsize, "four")).toBeUndefined();
    expect(withMember("{}", elementsize, '"4"')).toBeUndefined();
    expect(withMember("{", elementsize, "4")).toBeUndefined();
  });
});

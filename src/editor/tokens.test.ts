import { describe, expect, test } from "vitest";
import { placeInLine, wordsOfLine } from "./tokens.ts";

/** Words as "kind text", white space left out. */
function read(line: string): string[] {
  const words = wordsOfLine(line);
  return words
    .map(({ start, kind }, index) => `${kind} ${line.slice(start, words[index + 1]?.start)}`)
    .filter((word) => !/^(white|tag\.white) /.test(word));
}

describe("words of a line", () => {
  test("JSON", () => {
    expect(read(' "a": [1, -2.5e+3, true, NaN, -Infinity, null] ,')).toEqual([
      'key "a"',
      "comma :",
      "bracket [",
      "number 1",
      "comma ,",
      "number -2.5e+3",
      "comma ,",
      "constant true",
      "comma ,",
      "constant NaN",
      "comma ,",
      "constant -Infinity",
      "comma ,",
      "constant null",
      "bracket ]",
      "comma ,",
    ]);
  });

  test("what is not JSON", () => {
    expect(read("x // y")).toEqual(["wrong x", "comment // y"]);
    expect(read('"open')).toEqual(['string "open']);
  });

  test("escapes in values, none in keys", () => {
    expect(read(String.raw`"a\n": "b\u00e9c\"d"`)).toEqual([
      String.raw`key "a\n"`,
      "comma :",
      'string "b',
      String.raw`escape \u00e9`,
      "string c",
      String.raw`escape \"`,
      'string d"',
    ]);
  });

  test("a tag with names, numbers, filters, tests", () => {
    expect(read('["http://{{ (i + 1) * 1_000 | int }}{% if x is not odd %}.nc"]')).toEqual([
      "bracket [",
      'string "http://',
      "tag.open {{",
      "tag.operator (",
      "tag.name i",
      "tag.operator +",
      "tag.number 1",
      "tag.operator )",
      "tag.operator *",
      "tag.number 1_000",
      "tag.operator |",
      "tag.filter int",
      "tag.close }}",
      "tag.open {%",
      "tag.keyword if",
      "tag.name x",
      "tag.keyword is",
      "tag.keyword not",
      "tag.filter odd",
      "tag.close %}",
      'string .nc"',
      "bracket ]",
    ]);
  });

  test("strings inside of tags, with JSON's escapes and Jinja's", () => {
    expect(read(String.raw`"{{ 'it\\'s }}' ~ \"a}}\" }}"`)).toEqual([
      'string "',
      "tag.open {{",
      String.raw`tag.text 'it\\'s }}'`,
      "tag.operator ~",
      String.raw`tag.text \"a}}\"`,
      "tag.close }}",
      'string "',
    ]);
  });

  test("braces of dicts do not end a tag; white space control and notes", () => {
    expect(read(`"{{- {'a': {'b': 1}} -}}{# {{ no }} #}x"`)).toEqual([
      'string "',
      "tag.open {{-",
      "tag.operator {",
      "tag.text 'a'",
      "tag.operator :",
      "tag.operator {",
      "tag.text 'b'",
      "tag.operator :",
      "tag.number 1",
      "tag.operator }",
      "tag.operator }",
      "tag.close -}}",
      "tag.open {#",
      "tag.note  {{ no }} ",
      "tag.close #}",
      'string x"',
    ]);
  });

  test("names written with escapes, and tags that do not end", () => {
    expect(read(String.raw`"{{ \u00e9t"`)).toEqual([
      'string "',
      "tag.open {{",
      String.raw`tag.name \u00e9t`,
      'string "',
    ]);
  });

  test("no tags in keys", () => {
    expect(read('"{{a}}" : 1')).toEqual(['key "{{a}}"', "comma :", "number 1"]);
  });

  test("words begin at 0, go forward and stay in the line, whatever it is", () => {
    const signs = ['"', "{", "}", "%", "#", "\\", "u", "0", "'", "|", " ", "[", ":", ",", "is", "é", "-"];
    let seed = 7;
    const random = (most: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return Math.floor((seed / 2147483648) * most);
    };
    for (let round = 0; round < 3000; round += 1) {
      const line = Array.from({ length: random(30) }, () => signs[random(signs.length)]).join("");
      const starts = wordsOfLine(line).map(({ start }) => start);
      expect(starts, line).toEqual([...new Set(starts)].sort((a, b) => a - b));
      if (line !== "") expect(starts[0], line).toBe(0);
      expect(starts.at(-1) ?? -1, line).toBeLessThan(Math.max(line.length, 1));
      for (let column = 0; column <= line.length; column += 1) placeInLine(line, column);
    }
  });
});

describe("place in a line", () => {
  const at = (marked: string) => placeInLine(marked.replace("▮", ""), marked.indexOf("▮"));

  test("outside of strings", () => {
    expect(at('{▮"a": 1}')).toEqual({ kind: "json" });
    expect(at('{"a"▮: 1}')).toEqual({ kind: "json" });
  });

  test("keys and values", () => {
    expect(at('  "a▮": 1')).toMatchObject({ kind: "string", key: true, before: "", start: 2 });
    expect(at('{"a": "b▮"}')).toMatchObject({ kind: "string", key: false, before: ":" });
    expect(at('{"▮')).toMatchObject({ kind: "string", key: false, before: "{" });
  });

  test("tags", () => {
    expect(at('["x{▮{a}}"]')).toMatchObject({ kind: "string" });
    expect(at('["x{{▮a}}"]')).toEqual({ kind: "tag", mark: "{{" });
    expect(at('["x{{a▮}}"]')).toEqual({ kind: "tag", mark: "{{" });
    expect(at('["x{{a}}▮"]')).toMatchObject({ kind: "string" });
    expect(at('["{{a}}{% if ▮"]')).toEqual({ kind: "tag", mark: "{%" });
    expect(at('["{# ▮ #}"]')).toEqual({ kind: "tag", mark: "{#" });
    expect(at(String.raw`["\"", "{{ \"▮"]`)).toEqual({ kind: "tag", mark: "{{" });
  });

  test("no tag in a key, nor after the string", () => {
    expect(at('"{{▮a}}": 1')).toMatchObject({ kind: "string", key: true });
    expect(at('"{{a" ▮')).toEqual({ kind: "json" });
  });
});

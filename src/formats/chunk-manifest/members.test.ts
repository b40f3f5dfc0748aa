/** Against the reader of whole documents: the same members, refused where it refuses. */
import { expect, test } from "vitest";
import type { JsonValue } from "#core/json/json.ts";
import { jsonErrorPosition, jsonValueOf, parseJsonTree } from "#core/json/parse-json.ts";
import { eachMember } from "./read.ts";

type Member = readonly [string, JsonValue];

function streamed(text: string): readonly Member[] | "refused" {
  const members: Member[] = [];
  try {
    eachMember(text, {
      range: (key, path, offset, length) =>
        members.push([
          key,
          new Map<string, JsonValue>([
            ["path", path],
            ["offset", offset],
            ["length", length],
          ]),
        ]),
      other: (key, value) => members.push([key, value]),
    });
  } catch {
    return "refused";
  }
  return members;
}

function whole(text: string): readonly Member[] | "refused" {
  try {
    const { root } = parseJsonTree(text);
    return root.kind === "object" ? root.members.map(({ key, node }) => [key, jsonValueOf(node)] as const) : "refused";
  } catch (error) {
    if (jsonErrorPosition(error) === undefined) throw error;
    return "refused";
  }
}

const SHORT = '{ } [ ] , : " \\ 0 -1 1.5 01 true nul NaN \u0001 é "0.0" "a\\"b" "\\u12 {} []'.split(" ");
const PIECES = [...SHORT, " ", "\n", '{"path": "x", "offset": 1, "length": 2}', '"k": {"path": "y"},'];

/** Numbers that look random and are the same each time (a linear congruential generator). */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const BASE =
  '{"0.0": {"path": "s3://b/x.nc", "offset": 10, "length": 20}, "c/0/1": {"length": 5, "path": "a\\/b"},\n "0.2": {}, "1.0": {"path": "q", "offset": 007, "length": 1}, "1.1": "base64:AA=="}';

test("twenty thousand broken texts", () => {
  const random = numbers(7);
  let read = 0;
  for (let round = 0; round < 20_000; round += 1) {
    let text = round % 2 === 0 ? BASE : BASE.replace("007", "7");
    for (let change = random(3); change >= 0; change -= 1) {
      const at = random(text.length + 1);
      text = text.slice(0, at) + (PIECES[random(PIECES.length)] ?? "") + text.slice(at + random(4));
    }
    const found = streamed(text);
    expect({ text, found }).toEqual({ text, found: whole(text) });
    if (found !== "refused") read += 1;
  }
  expect(read).toBeGreaterThan(500);
});

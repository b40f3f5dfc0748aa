import { runs } from "#core/testing/runs.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonValueOf, parseJsonTree, writeJson } from "#core/json/parse-json.ts";
import type { JsonNode, JsonValue } from "#core/json/json.ts";
import type { TableEdit } from "#core/studio.ts";
import { looseTree } from "./edited-text.ts";
import { decodeRaw, rawOffset, stringEnd, valueIndex } from "./string-text.ts";
import { applyTextEdits, belongsTo, textEdits } from "./text-edits.ts";

const json = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.string({ unit: "grapheme" }),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value")),
    fc.array(fc.tuple(fc.string(), tie("value"))).map((pairs) => new Map(pairs)),
  ),
})).value;

describe("the loose reader", () => {
  it("gives the tree of sound JSON", () => {
    fc.assert(
      fc.property(json, fc.constantFrom(0, 2), (value, indent) => {
        const text = writeJson(value, indent);
        expect(looseTree(text)).toEqual(parseJsonTree(text).root);
      }),
    );
  });

  it("reads any text to its end without failing, with places in order", () => {
    const check = (node: JsonNode, from: number, to: number): void => {
      expect(node.start).toBeGreaterThanOrEqual(from);
      expect(node.end).toBeLessThanOrEqual(to);
      const inner = node.kind === "object" ? node.members.map((member) => member.node) : [];
      for (const child of node.kind === "array" ? node.items : inner) check(child, node.start, node.end);
    };
    const piece = fc.constantFrom("{", "}", "[", "]", ",", ":", '"', '"a"', "1", "\\", "\n", " ", "tru", '"{{ x }}"');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join("");
        check(looseTree(text), 0, text.length);
      }),
      { numRuns: runs(1000) },
    );
  });

  it("keeps what follows a string that is not closed", () => {
    const text = '{"a": "{{ x\n, "b": {"c": 1}';
    const tree = jsonValueOf(looseTree(text)) as ReadonlyMap<string, JsonValue>;
    expect([...tree]).toEqual([
      ["a", "{{ x"],
      ["b", new Map([["c", 1]])],
    ]);
  });
});

describe("places in strings", () => {
  it("map both ways, whatever is escaped", () => {
    const unit = fc.constantFrom("a", '"', "\\", "/", "\n", "é", "😀", "\u0001", "{");
    fc.assert(
      fc.property(fc.array(unit), fc.boolean(), (units, ascii) => {
        const value = units.join("");
        const plain = JSON.stringify(value);
        const text = ascii
          ? plain.replaceAll(/[^ -~]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`)
          : plain;
        expect(decodeRaw(text.slice(1, -1))).toBe(value);
        for (let index = 0; index <= value.length; index += 1) {
          const offset = rawOffset(text, 0, index);
          expect(valueIndex(text, 0, offset)).toBe(index);
          expect(decodeRaw(text.slice(1, offset))).toBe(value.slice(0, index));
        }
        expect(stringEnd(text, 0)).toEqual({ end: text.length, contentEnd: text.length - 1 });
      }),
    );
  });
});

describe("table edits as edits of the text", () => {
  const key = fc.constantFrom("a/0", "a/1", "a/.zarray", "b/0", "ab/0", "0", "__proto__", "é/0");
  const url = fc.constantFrom("s3://x/1", "s3://x/2\n", "{{u}}/a", "http://ü/ü", "");
  const reference = fc.oneof(
    fc.tuple(url, fc.nat(), fc.nat()),
    fc.tuple(url),
    fc.constant("{}"),
    fc.tuple(fc.constant(null), fc.nat(), fc.nat()),
  );
  const document = fc.record({
    members: fc.array(fc.tuple(key, reference), { maxLength: 8 }),
    version: fc.boolean(),
    indent: fc.constantFrom(0, 2),
  });
  const edit: fc.Arbitrary<TableEdit> = fc.oneof(
    fc.record({
      kind: fc.constant("replace-prefix" as const),
      from: fc.constantFrom("s3://x/", "s3://", "http://ü", "{{u}}", "none", ""),
      to: fc.constantFrom("", "https://q/", '"\\', "ü"),
    }),
    fc.record({ kind: fc.constant("set-reference" as const), key, value: fc.constantFrom('["n", 1, 2]', '"x"') }),
    fc.record({
      kind: fc.constant("set-references" as const),
      values: fc.uniqueArray(fc.tuple(key, fc.constantFrom('["n", 1, 2]', '"x"')), { selector: ([one]) => one }),
    }),
    fc.record({ kind: fc.constant("remove-reference" as const), key }),
    fc.record({ kind: fc.constant("remove-references" as const), keys: fc.array(key) }),
    fc.record({ kind: fc.constant("drop-array" as const), path: fc.constantFrom("a", "b", "", "é") }),
    fc.record({
      kind: fc.constant("shift-ranges" as const),
      path: fc.constantFrom("a", "", "é"),
      shift: fc.integer({ min: -3, max: 3 }),
      lengthen: fc.integer({ min: -3, max: 3 }),
    }),
  );

  function expected(refs: ReadonlyMap<string, JsonValue>, edit: TableEdit): readonly (readonly [string, JsonValue])[] {
    switch (edit.kind) {
      case "remove-reference":
        return [...refs].filter(([key]) => key !== edit.key);
      case "remove-references":
        return [...refs].filter(([key]) => !edit.keys.includes(key));
      case "set-references": {
        const values = edit.values.map(([key, value]) => [key, jsonValueOf(parseJsonTree(value).root)] as const);
        return [...new Map([...refs, ...values])];
      }
      case "drop-array":
        return [...refs].filter(([key]) => !belongsTo(key, edit.path));
      case "set-reference":
        return [...new Map([...refs, [edit.key, jsonValueOf(parseJsonTree(edit.value).root)]])];
      case "shift-ranges":
        return [...refs].map(([key, value]) => {
          const [target, offset, length] = Array.isArray(value) ? (value as readonly JsonValue[]) : [];
          const prefix = edit.path === "" ? "" : `${edit.path}/`;
          const isChunk = key.startsWith(prefix) && /^\d+$/.test(key.slice(prefix.length));
          if (!isChunk || typeof offset !== "number" || typeof length !== "number") return [key, value];
          const [from, bytes] = [offset + edit.shift, length + edit.lengthen];
          return [key, from < 0 || bytes <= 0 ? value : [target ?? null, from, bytes]];
        });
      case "replace-prefix":
        return [...refs].map(([key, value]) => {
          if (edit.from === "" || !Array.isArray(value) || typeof value[0] !== "string") return [key, value];
          const [target, ...rest] = value as unknown as readonly [string, ...JsonValue[]];
          return [key, target.startsWith(edit.from) ? [edit.to + target.slice(edit.from.length), ...rest] : value];
        });
    }
  }

  it("mean what the edit says", () => {
    fc.assert(
      fc.property(document, edit, ({ members, version, indent }, edit) => {
        const space = indent === 0 ? "" : "\n    ";
        const refs = `{${members.map(([k, v]) => `${space}${JSON.stringify(k)}: ${JSON.stringify(v)}`).join(",")}${space}}`;
        const text = version ? `{"version": 1,${space}"refs": ${refs}}` : refs;
        const after = jsonValueOf(parseJsonTree(applyTextEdits(text, textEdits(text, edit))).root) as Map<
          string,
          JsonValue
        >;
        const before = jsonValueOf(parseJsonTree(refs).root) as Map<string, JsonValue>;
        expect([...((version ? after.get("refs") : after) as Map<string, JsonValue>)]).toEqual(expected(before, edit));
        expect(
          parseJsonTree(applyTextEdits(text, textEdits(text, edit))).oddities.filter((o) => o.code !== "duplicate-key"),
        ).toEqual([]);
      }),
      { numRuns: runs(2000) },
    );
  });

  it("also reach templates and the URLs of gens", () => {
    const text =
      '{"version":1,"templates":{"u":"s3:\\/\\/b/x"},"gen":[{"key":"s3://b/{{i}}","url":"s3://b/{{i}}"}],"refs":{}}';
    const edits = textEdits(text, { kind: "replace-prefix", from: "s3://b", to: "q" });
    expect(applyTextEdits(text, edits)).toBe(
      '{"version":1,"templates":{"u":"q/x"},"gen":[{"key":"s3://b/{{i}}","url":"q/{{i}}"}],"refs":{}}',
    );
  });
});

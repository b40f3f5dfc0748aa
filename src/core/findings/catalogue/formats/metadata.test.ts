/** Codes that no other test triggers. */
import { expect, it } from "vitest";
import { codecTraits } from "#codecs/find-codec.ts";
import { buildHierarchy } from "#core/metadata/build-hierarchy.ts";
import { jsonFindings } from "#core/json/json-finding.ts";
import { documentText } from "#core/metadata/node-document.ts";
import { parseJson } from "#core/json/parse-json.ts";
import { keyAt } from "#core/findings/fact.ts";

const found = (text: string) => jsonFindings(parseJson(text).oddities, keyAt("x/.zattrs"));

it("json: what is odd, the first of each kind with its position, and how often", () => {
  expect(found('{"a": 1e999,\n "b": -1e999}')).toMatchObject([
    { code: "json-number-overflow", facts: { written: "1e999", line: 1, column: 7 }, count: 2 },
  ]);
  expect(found('\ufeff{"a": [1,],\n "a": NaN}')).toMatchObject([
    { code: "json-byte-order-mark", place: { kind: "key", key: "x/.zattrs" } },
    { code: "json-trailing-comma", facts: { written: "]", line: 1 } },
    { code: "json-not-finite", facts: { written: "NaN", line: 2 } },
    { code: "json-duplicate-key", facts: { written: "a", line: 2, column: 2 } },
  ]);
});

it("metadata-unknown: a document that Zarr does not have", () => {
  const { findings } = buildHierarchy([{ key: "x/.zother", text: "{}" }], [], codecTraits);
  expect(findings).toMatchObject([
    { code: "metadata-unknown", place: { kind: "key", key: "x/.zother" } },
    { code: "group-implied" },
  ]);
});

it("metadata-unread and metadata-too-large: documents without a text, or with too much of it", () => {
  const thrown = (text: string | undefined): unknown => {
    try {
      return documentText({ key: "x/.zarray", text });
    } catch (error) {
      return error;
    }
  };
  expect(thrown(undefined)).toMatchObject({ code: "metadata-unread", finding: { place: { key: "x/.zarray" } } });
  expect(thrown(" ".repeat((64 << 20) + 1))).toMatchObject({
    code: "metadata-too-large",
    finding: { facts: { limit: 64 << 20, unit: "characters" } },
  });
});

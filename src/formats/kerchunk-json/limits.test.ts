/** Tests the limits of a document: each can be reached, and going beyond it is refused. */
import { expect, it } from "vitest";
import { keyAt, type Place, WHOLE_SET } from "#core/findings/fact.ts";
import { documentReader } from "./document.ts";
import { referenceSet } from "./reference-set.ts";
import { malformed } from "./reference-value.ts";
import { jsScanner } from "./index.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
const refusal = (code: string, place: Place, facts: object) =>
  expect.objectContaining({
    finding: expect.objectContaining({ code, place, facts: expect.objectContaining(facts) }),
  }) as Error;

it("an entry so long", () => {
  const reader = documentReader(jsScanner, undefined, 20);
  const feed = (text: string) => {
    reader.reserve(text.length).set(utf8(text));
    reader.commit(text.length);
  };
  feed('{"a":"x","b":"');
  feed("x".repeat(14));
  const facts = { byte: 8, limit: 20, read: 1 };
  expect(() => feed("x")).toThrow(refusal("json-entry-too-long", WHOLE_SET, facts));
});

it("so many bytes of metadata, repeated ones counted again", () => {
  const set = referenceSet(jsScanner(), { bad: 1, metadataBytes: 4 });
  const member = { key: "a/.zattrs", keyFrom: 0, keyTo: 0, from: 0, to: 2 };
  const add = () => set.addMember(member, utf8("{}"));
  add();
  add();
  expect(add).toThrow(refusal("too-much-metadata", keyAt("a/.zattrs"), { limit: 4 }));
});

it("so many malformed references of which it is kept what they are", () => {
  const set = referenceSet(jsScanner(), { bad: 2, metadataBytes: 0 });
  const add = (key: string) => set.addBad(key, malformed("7"), "7");
  add("a/0");
  add("a/1");
  expect(() => add("a/2")).toThrow(refusal("too-many-malformed-references", WHOLE_SET, { limit: 2 }));
});

/** Tests of how codecs describe themselves: names, words, initial configurations, fields. */
import { describe, expect, it } from "vitest";
import { parseDataTypeV2 } from "../core/metadata/parse-data-type.ts";
import { isJsonObject } from "../core/json/json.ts";
import { parseJson } from "../core/json/parse-json.ts";
import { codecDescriptions, findCodec } from "./find-codec.ts";
import { LOADED } from "./testing/loaded-codecs.ts";

const all = codecDescriptions();

describe("codecs", () => {
  it("have each a name that no other has", () => {
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    for (const { id } of all) expect(findCodec(id)?.id).toBe(id);
  });

  it("are found by their other names, which no two share but where one is another's own", () => {
    const names = all.flatMap(({ otherNames, id }) => otherNames.filter((name) => name !== id));
    expect(new Set(names).size).toBe(names.length);
    for (const { id, otherNames } of all) {
      for (const name of otherNames) expect([id, name]).toContain(findCodec(name)?.id);
    }
  });

  it.each(all)("$id says in one sentence what it does", ({ words }) => {
    expect(words).toMatch(/^[A-Z].{10,100}\.$/);
  });

  it.each(all)("$id has fields that its configuration to begin with has room for", ({ fields, insertable }) => {
    const members = insertable === undefined ? undefined : parseJson(insertable).value;
    const names = fields.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    if (isJsonObject(members)) expect(names).toEqual(expect.arrayContaining([...members.keys()]));
  });
});

describe("codecs to insert", () => {
  const insertable = all.filter((one) => one.insertable !== undefined);

  it("are many", () => {
    expect(insertable.length).toBeGreaterThan(12);
  });

  it.each(insertable)("$id can be prepared as it is offered", ({ id, insertable: defaults = "" }) => {
    const { value } = parseJson(defaults);
    if (!isJsonObject(value)) throw new Error("no object");
    const type = parseDataTypeV2(id === "packbits" ? "|b1" : "<f4");
    const step = LOADED.findV2(id)?.prepare(value, { dataType: type, chunkShape: [4, 4], elements: 16 });
    expect(step?.label).toBeTruthy();
  });
});

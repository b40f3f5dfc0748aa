import { describe, expect, it } from "vitest";
import { parseDataTypeV2 } from "../core/parse-data-type.ts";
import { isJsonObject } from "../core/json.ts";
import { parseJson } from "../core/parse-json.ts";
import { findCodec } from "./index.ts";
import { insertableCodecs } from "./insertable.ts";

describe("codecs to insert", () => {
  const codecs = insertableCodecs();

  it("are many, each once", () => {
    expect(codecs.length).toBeGreaterThan(12);
    expect(new Set(codecs.map(({ id }) => id)).size).toBe(codecs.length);
  });

  it.each(codecs)("$id can be prepared as it is offered", ({ id, defaults }) => {
    const { value } = parseJson(defaults);
    if (!isJsonObject(value)) throw new Error("no object");
    const type = parseDataTypeV2(id === "packbits" ? "|b1" : "<f4");
    const step = findCodec(id)?.prepare(value, { dataType: type, chunkShape: [4, 4], elements: 16 });
    expect(step?.label).toBeTruthy();
  });
});

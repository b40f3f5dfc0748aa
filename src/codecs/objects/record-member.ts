/**
 * kerchunk's `record_member`: one member of the records of a structured type. NumPy reads a structure written as tuples
 * or as `{"names", "formats"}`, but not as lists, all that JSON has of the former: with these kerchunk itself fails.
 */
import { holdsObjects, type StructuredField, type StructuredType } from "#core/metadata/data-type.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "#core/json/json.ts";
import { badConfiguration, brief, decodeFailed, type Decoder, numpyType, stringMember } from "../codec.ts";

const ID = "record_member";

export const recordMember: Decoder = {
  prepare: (configuration) => {
    const member = stringMember(ID, configuration, "member");
    const written = configuration.get("dtype") ?? null;
    const record = recordType(written);
    const field = record.fields.find(({ name }) => name === member);
    if (field === undefined) {
      const names = record.fields.map(({ name }) => name.slice(0, 40)).slice(0, 20);
      throw badConfiguration(ID, "member", `one of ${names.join(", ")}`, brief(member));
    }
    const differs = Array.isArray(written) ? "; kerchunk fails on a dtype of lists" : "";
    return {
      label: `member ${brief(field.name)} of records of ${record.itemSize} bytes${differs}`,
      decode: (input) => members(input, record.itemSize, field),
    };
  },
};

function recordType(written: JsonValue): StructuredType {
  const expected = "a structured type: a list of [name, type], or an object with names and formats";
  const type = numpyType(isJsonObject(written) ? namesAndFormats(written) : written);
  if (type?.kind === "structured" && type.itemSize > 0 && !holdsObjects(type)) return type;
  throw badConfiguration(ID, "dtype", expected, brief(written));
}

/** NumPy's other form, without its offsets and titles. */
function namesAndFormats(written: JsonObject): JsonValue {
  const [names, formats] = [written.get("names"), written.get("formats")];
  const isPlain = [...written.keys()].every((key) => key === "names" || key === "formats");
  if (!isPlain || !Array.isArray(names) || !Array.isArray(formats) || names.length !== formats.length) return null;
  return (names as readonly JsonValue[]).map((name, at) => [name, (formats as readonly JsonValue[])[at] ?? null]);
}

function members(input: Uint8Array<ArrayBuffer>, record: number, field: StructuredField): Uint8Array<ArrayBuffer> {
  const count = input.length / record;
  if (!Number.isInteger(count)) throw decodeFailed(ID, `whole records of ${record} bytes`, `${input.length} bytes`);
  const size = (field.shape ?? []).reduce((product, length) => product * length, field.type.itemSize);
  const result = new Uint8Array(count * size);
  for (let i = 0; i < count; i++) {
    const from = i * record + field.offset;
    result.set(input.subarray(from, from + size), i * size);
  }
  return result;
}

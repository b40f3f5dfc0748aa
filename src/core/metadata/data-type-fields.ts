/** Fields of structured data types, from their text in metadata. */
import { unlessFinding } from "../findings/finding.ts";
import type { DataType } from "./data-type.ts";
import { isJsonObject, type JsonValue } from "../json/json.ts";
import { parseDataTypeV2 } from "./parse-data-type.ts";
import { parseJson } from "../json/parse-json.ts";

/** Names in order; none where the type (`text` of a DataType) is not a structure. */
export function fieldNames(text: string): readonly string[] {
  if (!/^[[{]/.test(text)) return [];
  const names = unlessFinding(() => {
    const { value } = parseJson(text);
    return isJsonObject(value) ? namesV3(value.get("configuration")) : namesOf(parseDataTypeV2(value));
  });
  return names ?? [];
}

function namesOf(type: DataType): readonly string[] {
  return type.kind === "structured" ? type.fields.map(({ name }) => name) : [];
}

/** `[name, type]` or `{"name", "data_type"}` each. */
function namesV3(configuration: JsonValue | undefined): readonly string[] {
  const fields = isJsonObject(configuration) ? configuration.get("fields") : undefined;
  const list = (Array.isArray(fields) ? fields : []) as readonly JsonValue[];
  const names = list.map((field) =>
    isJsonObject(field) ? field.get("name") : Array.isArray(field) ? (field[0] as JsonValue) : undefined,
  );
  return names.every((name) => typeof name === "string") ? names : [];
}

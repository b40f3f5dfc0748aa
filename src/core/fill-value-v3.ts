/** The member `fill_value` of Zarr v3 array metadata (§"Data types": each has its own form). */
import type { DataType } from "./data-type.ts";
import { fillBytes, fromBase64 } from "./fill-bytes.ts";
import { fillValueProblem } from "./fill-value-problem.ts";
import { writeJson } from "./json-write.ts";
import type { JsonValue } from "./json.ts";
import type { MemberReader } from "./member-reader.ts";

/** As written; what does not fit the data type is a finding. */
export function readFillValueV3(reader: MemberReader, type: DataType): JsonValue {
  const value = reader.value("fill_value");
  const refused = "zarr-python refuses such metadata.";
  if (value === undefined) {
    const read = 'The required member "fill_value" is absent: missing chunks have no defined values';
    reader.note("fill-value-missing", "warning", `${read}; ${refused}`);
    return null;
  }
  if (type.kind === "object") {
    const expected = objectProblem(value, type.text);
    if (expected !== undefined)
      reader.note("fill-value-odd", "warning", `${unfit(value, type)}: expected ${expected}.`);
  } else if (value === null) {
    const message = `/fill_value is null, which Zarr v3 does not allow for ${type.text.slice(0, 80)}: missing chunks have no defined values; ${refused}`;
    reader.note("fill-value-odd", "warning", message);
  } else if (fillBytes(value, type) === undefined) {
    const problem = fillValueProblem(value, type);
    const message = `${unfit(value, type)}: missing chunks have no defined values.`;
    reader.note("fill-value-odd", "warning", problem?.message ?? message);
  } else {
    noteLoose(reader, value, type);
  }
  return value;
}

/** What is read although Zarr v3 has another form for it. */
function noteLoose(reader: MemberReader, value: JsonValue, type: DataType): void {
  const isText = type.kind === "unicode" && typeof value !== "string";
  const isBool = type.kind === "bool" && typeof value !== "boolean";
  if (!isText && !isBool) return;
  const expected = isText ? "a text" : "true or false";
  reader.note("fill-value-odd", "info", `${unfit(value, type)}: expected ${expected}; it is read as zero.`);
}

function unfit(value: JsonValue, type: DataType): string {
  return `/fill_value ${writeJson(value).slice(0, 80)} does not fit the data type ${type.text.slice(0, 80)}`;
}

/** What would fit instead; types that are not known may have any. */
function objectProblem(value: JsonValue, type: string): string | undefined {
  if (type === "string" || type === "variable_length_utf8") return typeof value === "string" ? undefined : "a text";
  if (type !== "bytes" && type !== "variable_length_bytes") return undefined;
  const isList = Array.isArray(value) && (value as readonly JsonValue[]).every((item) => typeof item === "number");
  const isBase64 = typeof value === "string" && fromBase64(value) !== undefined;
  return isList || isBase64 ? undefined : "bytes in base64 or a list of numbers";
}

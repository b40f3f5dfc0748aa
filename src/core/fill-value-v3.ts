/** The member `fill_value` of Zarr v3 array metadata (§"Data types": each has its own form). */
import type { DataType } from "./data-type.ts";
import { fillBytes, fromBase64 } from "./fill-bytes.ts";
import { fillTexts, fillValueProblem } from "./fill-value-problem.ts";
import type { FactsOf } from "./findings/finding.ts";
import type { JsonValue } from "./json.ts";
import type { MemberReader } from "./member-reader.ts";

const AT = "/fill_value";

/** As written; what does not fit the data type is a finding. */
export function readFillValueV3(reader: MemberReader, type: DataType): JsonValue {
  const value = reader.value("fill_value");
  const note = (problem: FactsOf<"fill-value-odd">["problem"], expected?: string): void =>
    reader.note("fill-value-odd", AT, { problem, ...fillTexts(value ?? null, type), expected });
  if (value === undefined) {
    reader.note("fill-value-missing", AT, { version: 3 });
    return null;
  }
  if (type.kind === "object") {
    const expected = objectProblem(value, type.text);
    if (expected !== undefined) note("misfit", expected);
  } else if (value === null) {
    note("null");
  } else if (fillBytes(value, type) === undefined) {
    const problem = fillValueProblem(value, type);
    if (problem === undefined) note("no-bytes");
    else reader.note("fill-value-odd", AT, { ...problem, problem: "misfit" });
  } else {
    const expected = looseProblem(value, type);
    if (expected !== undefined) note("loose", expected);
  }
  return value;
}

/** What Zarr v3 has for a value that is read as zero all the same. */
function looseProblem(value: JsonValue, { kind }: DataType): string | undefined {
  if (kind === "unicode" && typeof value !== "string") return "a text";
  return kind === "bool" && typeof value !== "boolean" ? "true or false" : undefined;
}

/** What would fit instead; types that are not known may have any. */
function objectProblem(value: JsonValue, type: string): string | undefined {
  if (type === "string" || type === "variable_length_utf8") return typeof value === "string" ? undefined : "a text";
  if (type !== "bytes" && type !== "variable_length_bytes") return undefined;
  const isList = Array.isArray(value) && (value as readonly JsonValue[]).every((item) => typeof item === "number");
  const isBase64 = typeof value === "string" && fromBase64(value) !== undefined;
  return isList || isBase64 ? undefined : "bytes in base64 or a list of numbers";
}

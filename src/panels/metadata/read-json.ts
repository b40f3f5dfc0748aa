import { toErrorFields, type ErrorFields } from "../../core/errors.ts";
import type { JsonValue } from "../../core/json.ts";
import { parseJson } from "../../core/parse-json.ts";

export interface ReadJson {
  readonly value: JsonValue | undefined;
  /** Why the text is no JSON. */
  readonly problem: ErrorFields | undefined;
}

/** Reads JSON as leniently as Python does (NaN), integers exact. */
export function readJson(text: string | undefined): ReadJson {
  if (text === undefined) return { value: undefined, problem: undefined };
  try {
    return { value: parseJson(text, "Reading the attributes").value, problem: undefined };
  } catch (error) {
    return { value: undefined, problem: toErrorFields(error, "Reading the attributes") };
  }
}

import { isJsonObject, type JsonValue } from "../json/json.ts";

/** One attribute of a node; `undefined` where there is none, or where the attributes are not an object. */
export function attribute(attributes: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(attributes) ? attributes.get(name) : undefined;
}

/** Name of a variable for people: `long_name`, else `standard_name` (CF §3.2, §3.3). */
export function variableTitle(attributes: JsonValue | undefined): string | undefined {
  return textAttribute(attributes, "long_name") ?? textAttribute(attributes, "standard_name")?.replaceAll("_", " ");
}

/** `undefined` where it is empty, or no text. */
export function textAttribute(attributes: JsonValue | undefined, name: string): string | undefined {
  const value = attribute(attributes, name);
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

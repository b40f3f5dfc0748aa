/** Attributes of an array as the rules ask for them. */
import { isJsonObject, type JsonObject, type JsonValue } from "../../../core/json.ts";

export const isObject = (attributes: JsonValue | undefined): attributes is JsonObject => isJsonObject(attributes);

export function textOf(attributes: JsonObject, name: string): string | undefined {
  const value = attributes.get(name);
  return typeof value === "string" ? value : undefined;
}

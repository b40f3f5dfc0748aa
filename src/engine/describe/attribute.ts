import { isJsonObject, type JsonValue } from "../../core/json/json.ts";

/** One attribute of a node; `undefined` where there is none, or where the attributes are not an object. */
export function attribute(attributes: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(attributes) ? attributes.get(name) : undefined;
}

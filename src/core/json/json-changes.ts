/** Compares two JSON documents member by member. Pure. */
import { writeJson } from "./parse-json.ts";
import type { JsonObject, JsonValue } from "./json.ts";

export interface JsonChange {
  /** `filters[0].elementsize`; "" is the whole document. */
  readonly path: string;
  /** JSON text on one line; absent where the member was not there. */
  readonly before?: string;
  /** Absent where the member is gone. */
  readonly after?: string;
}

/** Changes in the order of the document before, then additions. Lists of different lengths are one change. */
export function jsonChanges(before: JsonValue, after: JsonValue, path = ""): readonly JsonChange[] {
  if (isObject(before) && isObject(after)) {
    const names = new Set([...before.keys(), ...after.keys()]);
    return [...names].flatMap((name) => memberChanges(before.get(name), after.get(name), memberPath(path, name)));
  }
  if (isList(before) && isList(after) && before.length === after.length) {
    return before.flatMap((item, at) => memberChanges(item, after[at], `${path}[${at}]`));
  }
  const [was, is] = [writeJson(before), writeJson(after)];
  return was === is ? [] : [{ path, before: was, after: is }];
}

function memberChanges(before: JsonValue | undefined, after: JsonValue | undefined, path: string) {
  if (before !== undefined && after !== undefined) return jsonChanges(before, after, path);
  if (before !== undefined) return [{ path, before: writeJson(before) }];
  return after === undefined ? [] : [{ path, after: writeJson(after) }];
}

const isObject = (value: JsonValue): value is JsonObject => value instanceof Map;
const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);

function memberPath(path: string, name: string): string {
  if (!/^[A-Za-z_][\w-]*$/.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === "" ? name : `${path}.${name}`;
}

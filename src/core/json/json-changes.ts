/** Compares two JSON documents member by member. Pure. */
import { writeJson } from "./parse-json.ts";
import { isJsonObject, type JsonValue } from "./json.ts";

export interface JsonChange {
  /** `filters[0].elementsize`; "" is the whole document. */
  readonly path: string;
  /** JSON text on one line; absent where the member was not there. */
  readonly before?: string;
  /** Absent where the member is gone. */
  readonly after?: string;
}

/** Changes in the order of the document before, then additions. Lists of different lengths are one change. */
export function jsonChanges(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path = "",
): readonly JsonChange[] {
  if (isJsonObject(before) && isJsonObject(after)) {
    const names = new Set([...before.keys(), ...after.keys()]);
    return [...names].flatMap((name) => jsonChanges(before.get(name), after.get(name), memberPath(path, name)));
  }
  if (isList(before) && isList(after) && before.length === after.length) {
    return before.flatMap((item, at) => jsonChanges(item, after[at], `${path}[${at}]`));
  }
  const [was, is] = [before, after].map((value) => (value === undefined ? undefined : writeJson(value)));
  if (was === is) return [];
  return [{ path, ...(was === undefined ? {} : { before: was }), ...(is === undefined ? {} : { after: is }) }];
}

const isList = (value: JsonValue | undefined): value is readonly JsonValue[] => Array.isArray(value);

function memberPath(path: string, name: string): string {
  if (!/^[A-Za-z_][\w-]*$/.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === "" ? name : `${path}.${name}`;
}

/**
 * How Zarr v3 writes what may be extended: a name, or an object with `name` and `configuration` (§"Extension points").
 */
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json.ts";
import type { MemberReader } from "./member-reader.ts";

export interface Extension {
  readonly name: string;
  readonly configuration: JsonObject;
}

const EMPTY: JsonObject = new Map();
const MAX_NAME = 200;

/**
 * @param pointer where the value is
 * @param what "a codec", for sentences
 * @throws RefscopeError `metadata-invalid`
 */
export function readExtension(
  reader: MemberReader,
  value: JsonValue | undefined,
  pointer: string,
  what: string,
): Extension {
  if (typeof value === "string") return { name: checkedName(reader, value, pointer, what), configuration: EMPTY };
  if (!isJsonObject(value)) throw reader.invalid(pointer, `${what}: a name, or an object with a "name"`, value);
  const name = checkedName(reader, value.get("name"), `${pointer}/name`, what);
  noteOptional(reader, value, name, pointer);
  return { name, configuration: readConfiguration(reader, value.get("configuration"), `${pointer}/configuration`) };
}

function checkedName(reader: MemberReader, name: JsonValue | undefined, pointer: string, what: string): string {
  if (typeof name === "string" && name !== "" && name.length <= MAX_NAME) return name;
  throw reader.invalid(pointer, `the name of ${what}`, name);
}

function readConfiguration(reader: MemberReader, value: JsonValue | undefined, pointer: string): JsonObject {
  if (value === undefined || value === null) return EMPTY;
  if (isJsonObject(value)) return value;
  throw reader.invalid(pointer, "an object", value);
}

function noteOptional(reader: MemberReader, value: JsonObject, name: string, pointer: string): void {
  if (value.get("must_understand") !== false) return;
  reader.note("extension-optional", pointer, { name });
}

/** Notes members of a metadata document that Zarr v3 does not know (§"Extension points": such must be understood). */
export function noteUnknownMembers(reader: MemberReader, known: ReadonlySet<string>): void {
  for (const key of reader.keys) {
    if (known.has(key)) continue;
    const value = reader.value(key);
    const mayBeIgnored = isJsonObject(value) && value.get("must_understand") === false;
    const code = mayBeIgnored ? "metadata-extension" : "metadata-must-understand";
    reader.note(code, pointerTo(key), { member: key.slice(0, MAX_NAME) });
  }
}

/** A JSON pointer (RFC 6901) to a member of the document. */
const pointerTo = (key: string): string => `/${key.slice(0, MAX_NAME).replaceAll("~", "~0").replaceAll("/", "~1")}`;

/** Which keys a Version 1 `gen` may make that was not rendered to its end, as far as is known without rendering it. */
import { isJsonObject } from "../../../core/json.ts";
import { parseJson } from "../../../core/parse-json.ts";

/**
 * The text before the first tag of each entry's key: every key that the entry makes begins with it (Jinja2 gives text
 * outside of tags as it is). `[""]`, which any key begins with, where nothing is known; `[]` where nothing is made.
 */
export function generatedPrefixes(gen: string | undefined): readonly string[] {
  if (gen === undefined) return [];
  try {
    const { value } = parseJson(gen);
    return Array.isArray(value) ? value.map((entry) => prefixOf(entry)) : value === null ? [] : [""];
  } catch {
    return [""];
  }
}

function prefixOf(entry: Parameters<typeof isJsonObject>[0]): string {
  const key = isJsonObject(entry) ? entry.get("key") : undefined;
  if (typeof key !== "string") return "";
  const tag = /\{[{%#]/.exec(key)?.index ?? key.length;
  return key.slice(0, tag);
}

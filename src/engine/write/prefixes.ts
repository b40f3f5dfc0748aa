/** Templates for what URLs of a set have in common, so that Version 1 says it once. */
import type { TargetDictionary } from "../../core/table/reference-table.ts";

export interface Prefixes {
  /** JSON text; `undefined` where none is worth it. */
  readonly templates: string | undefined;
  written(url: string): string;
}

const NONE: Prefixes = { templates: undefined, written: (url) => url };

/** Shorter ones are not worth a template. */
const LEAST = 8;
const MOST_TEMPLATES = 26;
const AUTHORITY = /^[a-z][a-z\d+.-]*:\/\/[^/]*\//i;
/** By what fsspec puts values into URLs, such characters mean something in a URL that has a template. */
const MEANS_SOMETHING = /[{}]/;

/** One for each host: all of the URL where there is one only, else the folder that all are in. */
export function urlPrefixes(targets: TargetDictionary): Prefixes {
  const common = new Map<string, string>();
  const counts = new Map<string, number>();
  for (let id = 0; id < targets.count; id += 1) {
    const url = targets.text(id);
    // With templates, such a URL would be rendered.
    if (url.includes("{{")) return NONE;
    if (MEANS_SOMETHING.test(url)) continue;
    const authority = AUTHORITY.exec(url)?.[0] ?? "";
    const known = common.get(authority);
    common.set(authority, known === undefined || known === url ? url : sharedFolder(known, url));
    if (known !== url) counts.set(authority, (counts.get(authority) ?? 0) + 1);
  }
  const prefixes = [...common].filter(([, prefix]) => prefix.length >= LEAST).slice(0, MOST_TEMPLATES);
  if (prefixes.length === 0) return NONE;
  const names = new Map(prefixes.map(([authority], at) => [authority, String.fromCharCode(97 + at)]));
  const templates = JSON.stringify(
    Object.fromEntries(prefixes.map(([authority, prefix]) => [names.get(authority), prefix])),
  );
  return {
    templates,
    written(url) {
      const authority = AUTHORITY.exec(url)?.[0] ?? "";
      const name = names.get(authority);
      if (name === undefined || MEANS_SOMETHING.test(url)) return url;
      return `{{${name}}}${url.slice(common.get(authority)?.length ?? 0)}`;
    },
  };
}

function sharedFolder(one: string, other: string): string {
  let end = 0;
  while (end < one.length && one[end] === other[end]) end += 1;
  return one.slice(0, one.lastIndexOf("/", end - 1) + 1);
}

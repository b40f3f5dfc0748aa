/** Templates for what the URLs of a set have in common, so that Version 1 says it once. */
import { pythonJsonText } from "#core/json/python-json.ts";
import type { TargetDictionary } from "#core/table/reference-table.ts";

/** Shorter ones are not worth a template. */
const LEAST = 8;
const MAX_PREFIXES = 26;
/** With the slash after it, so that folders are of one host. */
const hostOf = (url: string): string => /^[a-z][a-z\d+.-]*:\/\/[^/]*\//i.exec(url)?.[0] ?? "";
/** To fsspec such characters mean something in a URL that has a template. */
const isPlain = (url: string): boolean => !/[{}]/.test(url);

/** One for each host: all of the URL where there is one only, else the folder that all are in. Templates as JSON text. */
export function urlPrefixes(targets: TargetDictionary) {
  const common = new Map<string, string>();
  for (let id = 0; id < targets.count; id += 1) {
    const url = targets.text(id);
    // With templates, such a URL would be rendered.
    if (url.includes("{{")) return { templates: undefined, written: (one: string) => one };
    if (isPlain(url)) common.set(hostOf(url), sharedFolder(common.get(hostOf(url)) ?? url, url));
  }
  const prefixes = [...common].filter(([, prefix]) => prefix.length >= LEAST).slice(0, MAX_PREFIXES);
  const byHost = new Map(prefixes.map(([host, prefix], at) => [host, { prefix, name: String.fromCharCode(97 + at) }]));
  const members = [...byHost.values()].map(({ prefix, name }) => `"${name}":${pythonJsonText(prefix)}`);
  return {
    templates: members.length === 0 ? undefined : `{${members.join(",")}}`,
    written: (url: string): string => {
      const found = isPlain(url) ? byHost.get(hostOf(url)) : undefined;
      return found === undefined ? url : `{{${found.name}}}${url.slice(found.prefix.length)}`;
    },
  };
}

function sharedFolder(one: string, other: string): string {
  if (one === other) return one;
  let end = 0;
  while (end < one.length && one[end] === other[end]) end += 1;
  return one.slice(0, one.lastIndexOf("/", end - 1) + 1);
}

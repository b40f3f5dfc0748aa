/** Any set as Kerchunk JSON: Version 0, or Version 1 with the document's own templates or those of its URLs. */
import { portableJson } from "#core/json/portable-json.ts";
import type { ExportForm } from "#core/studio.ts";
import { decodeText, type MetadataEntry } from "#formats/kerchunk-json/index.ts";
import { type ReferenceWriting, writeReferences } from "#formats/kerchunk-json/write.ts";
import { isDocument } from "../engine-set.ts";
import { writeNotes } from "./notes.ts";
import { sharedFolder } from "./relative-targets.ts";
import type { Writable } from "./writable.ts";
import { pythonJsonText } from "#core/json/python-json.ts";
import type { TargetDictionary } from "#core/table/reference-table.ts";

const encoder = new TextEncoder();

/** With what is not written, or otherwise. */
export function planJson(writable: Writable, form: ExportForm) {
  const writing = jsonWriting(writable, form);
  const notes = writeNotes();
  notes.leftOut("bad", undefined, writing.unwritable());
  if (!writable.isAsOpened) notes.leftOut("metadata", undefined, writable.unread);
  return { writing, findings: [...writable.findings, ...notes.list()] };
}

function jsonWriting({ set, table, documents, isAsOpened, moved }: Writable, form: ExportForm): ReferenceWriting {
  const { document, origins, renderer } = isAsOpened && isDocument(set) ? set : {};
  const own = document?.metadata.map((entry) => writtenEntry(entry, moved));
  // Templates make the targets as they were.
  const keepsTemplates = moved === undefined && (document?.templates !== undefined || document?.gen !== undefined);
  if (document !== undefined && origins !== undefined && (form !== "version1" || keepsTemplates))
    return writeReferences({ ...document, metadata: own ?? [], origins, renderer, table }, form);
  const { targets, rows } = table;
  const { templates, written } = urlPrefixes(targets);
  const text = (id: number) => targets.text(id);
  const metadata = Array.from(documents, ([key, json]) => {
    return { key, value: { kind: "inline" as const, bytes: encoder.encode(json) }, row: 0 };
  });
  const source = {
    version: 1 as const,
    table: { ...table, targets: { count: targets.count, text, written: (id: number) => written(text(id)) } },
    origins: { refsRows: rows, genOrdinal: () => undefined },
    renderer: undefined,
    metadata: own ?? metadata,
    templates,
    gen: undefined,
  };
  return writeReferences(source, form);
}

function writtenEntry(entry: MetadataEntry, moved: ((target: string) => string) | undefined): MetadataEntry {
  const { written: _, ...rest } = entry;
  const { value } = entry;
  if (value.kind === "inline") {
    const { text, valid } = decodeText(value.bytes);
    return valid ? { ...entry, value: { ...value, bytes: encoder.encode(portableJson(text)) } } : entry;
  }
  if (moved === undefined) return entry;
  if (!("target" in value) || value.target === null) return rest;
  return { ...rest, value: { ...value, target: moved(value.target) } };
}

// Templates for what the URLs of a set have in common, so that Version 1 says it once.

/** Shorter ones are not worth a template. */
const LEAST = 8;
const MAX_PREFIXES = 26;
/** With the slash after it, so that folders are of one host. */
const hostOf = (url: string): string => /^[a-z][a-z\d+.-]*:\/\/[^/]*\//i.exec(url)?.[0] ?? "";
/** To fsspec such characters mean something in a URL that has a template. */
const isPlain = (url: string): boolean => !/[{}]/.test(url);

/**
 * One for each host: all of the URL where there is one only, else the folder that all are in. Templates as JSON text.
 */
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

/** Any set as Kerchunk JSON: Version 0, or Version 1 with the document's own templates or those of its URLs. */
import { portableJson } from "#core/json/portable-json.ts";
import type { ExportForm } from "#core/studio.ts";
import { decodeText, type MetadataEntry } from "#formats/kerchunk-json/index.ts";
import { type ReferenceWriting, writeReferences } from "#formats/kerchunk-json/write.ts";
import { isDocument } from "../engine-set.ts";
import { writeNotes } from "./notes.ts";
import { urlPrefixes } from "./prefixes.ts";
import type { Writable } from "./writable.ts";

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

/** Any set as Kerchunk JSON: Version 0, or Version 1 with the document's own templates or those of its URLs. */
import type { ExportForm } from "../../core/studio.ts";
import { type ReferenceWriting, writeReferences } from "../../formats/kerchunk-json/index.ts";
import { isDocument } from "../engine-set.ts";
import { urlPrefixes } from "./prefixes.ts";
import type { Writable } from "./writable.ts";

export function jsonWriting({ set, table, documents, isAsOpened }: Writable, form: ExportForm): ReferenceWriting {
  const { document, origins, renderer } = isAsOpened && isDocument(set) ? set : {};
  const isOwn = form !== "version1" || document?.templates !== undefined || document?.gen !== undefined;
  if (document !== undefined && origins !== undefined && isOwn)
    return writeReferences({ ...document, origins, renderer, table }, form);
  const { targets, rows } = table;
  const { templates, written } = urlPrefixes(targets);
  const text = (id: number) => targets.text(id);
  const encoder = new TextEncoder();
  const metadata = Array.from(documents, ([key, json]) => {
    return { key, value: { kind: "inline" as const, bytes: encoder.encode(json) }, row: 0 };
  });
  const source = {
    version: 1 as const,
    table: { ...table, targets: { count: targets.count, text, written: (id: number) => written(text(id)) } },
    origins: { refsRows: rows, genOrdinal: () => undefined },
    renderer: undefined,
    metadata: document?.metadata ?? metadata,
    templates,
    gen: undefined,
  };
  return writeReferences(source, form);
}

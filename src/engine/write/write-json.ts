/** Any set as Kerchunk JSON: Version 0, or Version 1 with the document's own templates or those of its URLs. */
import type { ReferenceWriting } from "../../formats/kerchunk-json/index.ts";
import { writeReferences } from "../../formats/kerchunk-json/index.ts";
import { isDocument } from "../engine-set.ts";
import { urlPrefixes } from "./prefixes.ts";
import { metadataEntries, type Writable } from "./writable.ts";

/** `isPlain`: Version 1 without templates, as Kerchunk writes it. */
export function jsonWriting({ set, form, table, documents, isAsOpened }: Writable, isPlain = false): ReferenceWriting {
  const wanted = form === "kerchunk-json-v0" ? "version0" : isPlain ? "version1-flat" : "version1";
  const opened = isAsOpened && isDocument(set) ? set : undefined;
  if (opened !== undefined) {
    const { document, origins, renderer } = opened;
    const isOwn = wanted !== "version1" || document.templates !== undefined || document.gen !== undefined;
    if (isOwn) return writeReferences({ ...document, origins, renderer, table }, wanted);
  }
  const { templates, written } = urlPrefixes(table.targets);
  const { targets } = table;
  const shortened = {
    count: targets.count,
    text: (id: number) => targets.text(id),
    written: (id: number) => written(targets.text(id)),
  };
  const source = {
    version: 1 as const,
    table: { ...table, targets: shortened },
    origins: { refsRows: table.rows, genOrdinal: () => undefined },
    renderer: undefined,
    metadata: opened?.document.metadata ?? metadataEntries(documents),
    templates,
    gen: undefined,
  };
  return writeReferences(source, wanted);
}

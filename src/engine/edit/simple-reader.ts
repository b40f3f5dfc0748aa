/**
 * fsspec's default mode (`simple_templates=True`) on a set: URLs by `str.format`, no gens. One URL that fails refuses the
 * whole set; what becomes of each key is still said.
 */
import { attempt } from "../../core/attempt.ts";
import type { JsonNode } from "../../core/json/json.ts";
import type { ReaderValue } from "../../core/studio.ts";
import type { RenderedUrl } from "../../core/table/version1.ts";
import { columnsAt } from "../table/batch.ts";
import { once } from "../../core/once.ts";
import { renderDocument } from "../render/document.ts";
import { simpleRenderer } from "../render/simple.ts";
import { looseText, stringOf } from "./edited-text.ts";
import {
  comparedReader,
  isGenerated,
  LOST,
  otherValue,
  SAME,
  uniformReader,
  UNKNOWN,
  type ReaderView,
} from "./reader-view.ts";
import { genReplaced, keyOf, valueText, type DocumentIndex, type VersionItem } from "./document-index.ts";

type Render = (written: string) => RenderedUrl;

export function simpleReader(of: DocumentIndex): ReaderView {
  const { document, documentText, format } = of.set;
  if (format.version === 0) return uniformReader({ kind: "same" });
  const simple = simpleRenderer({ templates: document.templates, gen: document.gen });
  const render: Render = (written) => simple.url(written);
  const written = once(() => refsOf(documentText));
  const urls = new Map<number, ReaderValue>();
  const value = (item: VersionItem): ReaderValue => {
    if (isGenerated(of, item)) return genReplaced(of, item) ? ofReplaced(written().get(keyOf(of, item)), render) : LOST;
    if (item.kind === "metadata") return metadataValue(of, item.index, render);
    const id = columnsAt(of.set.table, item.row).target;
    if (id >= of.set.table.targets.count) return SAME;
    const known = urls.get(id) ?? urlValue(of, id, render);
    urls.set(id, known);
    return known.kind === "other" ? otherValue(withUrl(valueText(of, item), known.value)) : known;
  };
  return comparedReader({ of, value, refused: () => errorOf(documentText) });
}

/** On the whole text fsspec's own order decides which error comes; of larger documents only URLs are looked at. */
function errorOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const answer = renderDocument(text, { simple: true });
  return answer.kind === "error" ? `${answer.python}: ${answer.message}` : undefined;
}

function urlValue({ set }: DocumentIndex, id: number, render: Render): ReaderValue {
  const { targets } = set.table;
  const rendered = render(targets.written(id));
  if (rendered.kind === "fault") return { kind: "raises", error: rendered.error };
  return rendered.url === targets.text(id) ? SAME : { kind: "other", value: rendered.url };
}

function withUrl(text: string, url: string): string {
  const rest = attempt(() => (JSON.parse(text) as readonly unknown[]).slice(1), []);
  return JSON.stringify([url, ...rest]);
}

function metadataValue({ metadata }: DocumentIndex, index: number, render: Render): ReaderValue {
  const entry = metadata[index];
  const value = entry?.value;
  if (entry === undefined || (value?.kind !== "whole" && value?.kind !== "range") || value.target === null) return SAME;
  const rendered = render(entry.written ?? value.target);
  if (rendered.kind === "fault") return { kind: "raises", error: rendered.error };
  return rendered.url === value.target ? SAME : otherValue(JSON.stringify([rendered.url]));
}

/** A generated key in the place of one of `refs`, which this reader still has. */
function ofReplaced(node: JsonNode | undefined, render: Render): ReaderValue {
  if (node === undefined) return UNKNOWN;
  const url = node.kind === "array" ? stringOf(node.items[0]) : undefined;
  if (url === undefined) return otherValue("the reference in refs");
  const rendered = render(url);
  return rendered.kind === "fault"
    ? { kind: "raises", error: rendered.error }
    : otherValue(JSON.stringify([rendered.url]));
}

function refsOf(text: string | undefined): ReadonlyMap<string, JsonNode> {
  if (text === undefined) return new Map();
  return new Map((looseText(text).refs?.members ?? []).map(({ key, node }) => [key, node]));
}

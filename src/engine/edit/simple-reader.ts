/**
 * fsspec's default mode (`simple_templates=True`) on a set: URLs by `str.format`, no gens. One URL that fails refuses the
 * whole set; what becomes of each key is still said.
 */
import { attempt, once } from "#core/basics.ts";
import type { JsonNode } from "#core/json/json.ts";
import type { ReaderSummary, ReaderValue } from "#core/studio.ts";
import type { RenderedUrl } from "#core/table/version1.ts";
import { columnsAt } from "../table/batch.ts";
import { renderDocument } from "../render/document-version1.ts";
import { simpleRenderer } from "../render/simple.ts";
import { looseText, stringOf } from "./edited-text.ts";
import { type DocumentIndex, genOrdinal, genReplaced, keyOf, valueText, type VersionItem } from "./document-index.ts";
import type { CallContext } from "#core/byte-source.ts";
import { startPace } from "../pace.ts";

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

// Results of another reader for a set, key by key, beside the true ones.

export interface ReaderView {
  value(item: VersionItem): ReaderValue;
  /** Counted by one pass over all keys when first asked for. */
  summary(context: CallContext): Promise<ReaderSummary>;
}

export const SAME: ReaderValue = { kind: "same" };
export const LOST: ReaderValue = { kind: "lost" };
export const UNKNOWN: ReaderValue = { kind: "unknown" };
const LONGEST = 200;

export const otherValue = (text: string): ReaderValue => ({
  kind: "other",
  value: text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text,
});

export const isDifferent = ({ kind }: ReaderValue): boolean => kind !== "same" && kind !== "unknown";

/** A key that a gen made. */
export const isGenerated = (of: DocumentIndex, item: VersionItem): boolean => genOrdinal(of, item) !== undefined;

/** A reader that makes the same of every key. */
export function uniformReader(outcome: Exclude<ReaderSummary["outcome"], { readonly kind: "differs" }>): ReaderView {
  const value = outcome.kind === "same" ? SAME : UNKNOWN;
  return { value: () => value, summary: () => Promise.resolve({ outcome, first: undefined }) };
}

export interface Comparison {
  readonly of: DocumentIndex;
  readonly value: ReaderView["value"];
  /** Keys that only this reader has. */
  readonly extra?: readonly string[];
  /** Why it reads nothing at all, where that can be known beforehand. Asked once, with the summary. */
  readonly refused?: () => string | undefined;
}

/** A key on which the reader raises refuses the set. */
export function comparedReader(comparison: Comparison): ReaderView {
  let counted: ReaderSummary | undefined;
  return {
    value: comparison.value,
    async summary(context) {
      counted ??= await count(comparison, context);
      return counted;
    },
  };
}

async function count({ of, value, extra = [], refused }: Comparison, context: CallContext): Promise<ReaderSummary> {
  const pace = startPace(context, "Comparing with other readers", of.order.total);
  let [other, lost] = [0, 0];
  let first: VersionItem | undefined;
  let raising: VersionItem | undefined;
  for (let position = 0; position < of.order.total; position += 1) {
    if (position % 4096 === 0) await pace.yieldIfDue(position);
    const item = of.order.at(position);
    const { kind } = value(item);
    if (kind === "same" || kind === "unknown") continue;
    if (kind === "lost") lost += 1;
    else other += 1;
    first ??= item;
    if (kind === "raises") raising ??= item;
  }
  const named = (item: VersionItem | undefined) => (item === undefined ? undefined : keyOf(of, item));
  const error = refused?.() ?? errorAt(raising, value);
  if (error !== undefined) return { outcome: { kind: "refuses", error }, first: named(raising ?? first) };
  if (other + lost + extra.length === 0) return { outcome: { kind: "same" }, first: undefined };
  return { outcome: { kind: "differs", other, lost, extra: extra.length }, first: named(first) ?? extra[0] };
}

function errorAt(item: VersionItem | undefined, value: ReaderView["value"]): string | undefined {
  const found = item === undefined ? undefined : value(item);
  return found?.kind === "raises" ? found.error : undefined;
}

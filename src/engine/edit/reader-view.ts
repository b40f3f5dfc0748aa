/** What another reader makes of a set, key by key, beside the true result. */
import type { CallContext } from "../../core/byte-source.ts";
import type { ReaderSummary, ReaderValue } from "../../core/studio.ts";
import { startPace } from "../pace.ts";
import { genOrdinal, keyOf, type DocumentIndex, type VersionItem } from "./document-index.ts";

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
  const error = refused?.() ?? errorOf(raising, value);
  if (error !== undefined) return { outcome: { kind: "refuses", error }, first: named(raising ?? first) };
  if (other + lost + extra.length === 0) return { outcome: { kind: "same" }, first: undefined };
  return { outcome: { kind: "differs", other, lost, extra: extra.length }, first: named(first) ?? extra[0] };
}

function errorOf(item: VersionItem | undefined, value: ReaderView["value"]): string | undefined {
  const found = item === undefined ? undefined : value(item);
  return found?.kind === "raises" ? found.error : undefined;
}

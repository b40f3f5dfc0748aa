/** Words for the results of other readers, for a key or a set. */
import { byKind } from "#core/basics.ts";
import type { ReaderSummary, ReaderValue, VersionRow } from "#core/studio.ts";
import { listed } from "#core/words.ts";
import { formatCount } from "#widgets/number-format.ts";

export type ReaderName = "simple" | "javascript";

export const READERS: readonly ReaderName[] = ["simple", "javascript"];

export const READER_NAMES: Readonly<Record<ReaderName, string>> = {
  simple: "fsspec default",
  javascript: "JavaScript readers",
};

/** Description of each reader, for titles. */
export const READER_MEANING: Readonly<Record<ReaderName, string>> = {
  simple: "fsspec with simple_templates=True, which is its default",
  javascript: "JavaScript readers that follow reference-spec-reader's README: templates rendered by nunjucks",
};

export interface ReaderWords {
  readonly tone: "ok" | "bad" | "warn" | "quiet";
  /** For the cell. */
  readonly short: string;
}

export const TONE_SIGN: Readonly<Record<ReaderWords["tone"], string>> = { ok: "✓", bad: "✕", warn: "!", quiet: "·" };

/** One reader on one key. */
export function valueWords(reader: ReaderName, value: ReaderValue): ReaderWords {
  const name = READER_NAMES[reader];
  return byKind<ReaderValue, ReaderWords>(value, {
    same: { tone: "ok", short: `same in ${name}` },
    other: { tone: "bad", short: `differs in ${name}` },
    lost: { tone: "bad", short: `lost by ${name}` },
    raises: ({ error }) => ({ tone: "bad", short: `${errorName(error)} in ${name}` }),
    unknown: { tone: "quiet", short: `${name} not compared` },
  });
}

/** "KeyError" of "KeyError: 'c'". */
const errorName = (error: string): string => /^[\w.]+/.exec(error)?.[0] ?? "fails";

/** The value that the reader gives, for the details. */
export function valueText(value: ReaderValue): string {
  return byKind(value, {
    same: "the same",
    other: ({ value: other }) => undefinedParts(other) ?? other,
    lost: "no such key",
    raises: ({ error }) => error,
    unknown: "not compared",
  });
}

/** Says of `[undefined, undefined, undefined]` what is undefined. */
function undefinedParts(value: string): string | undefined {
  const [, words] = /^\[((?:undefined|NaN)(?:, (?:undefined|NaN))*)\]$/.exec(value) ?? [];
  const parts = words?.split(", ").flatMap((word, at) => (PARTS[at] === undefined ? [] : [`${PARTS[at]} is ${word}`]));
  return parts && `${listed(parts)}: the templates render to no value there`;
}

const PARTS = ["the URL", "the offset", "the length"] as const;

/** Both readers on one key: the worse first. */
export function rowWords({ simple, javascript }: Pick<VersionRow, "simple" | "javascript">): readonly ReaderWords[] {
  const both = [valueWords("simple", simple), valueWords("javascript", javascript)];
  const differing = both.filter(({ tone }) => tone === "bad");
  if (differing.length > 0) return differing;
  if (both.every(({ tone }) => tone === "ok")) return [{ tone: "ok", short: "all agree" }];
  return simple.kind === "same" ? [{ tone: "quiet", short: "fsspec agrees" }] : both;
}

/** One reader on the whole set. */
export function summaryWords(reader: ReaderName, { outcome }: ReaderSummary): ReaderWords {
  const name = READER_NAMES[reader];
  return byKind<ReaderSummary["outcome"], ReaderWords>(outcome, {
    same: { tone: "ok", short: `${name}: the same` },
    refuses: ({ error }) => ({ tone: "bad", short: `${name} refuses the whole set: ${error}` }),
    unknown: ({ reason }) => ({ tone: "quiet", short: `${name}: not compared. ${reason}` }),
    differs: (found) => ({ tone: "bad", short: `${name}: ${differences(found)}` }),
  });
}

function differences({ lost, other, extra }: Extract<ReaderSummary["outcome"], { readonly kind: "differs" }>) {
  const parts = [
    lost > 0 ? `${keys(lost)} lost` : "",
    other > 0 ? `${lost > 0 ? formatCount(other) : keys(other)} with another value` : "",
    extra > 0 ? `${lost + other > 0 ? formatCount(extra) : keys(extra)} too many` : "",
  ];
  return parts.filter((part) => part !== "").join(", ");
}

const keys = (count: number) => `${formatCount(count)} ${count === 1 ? "key" : "keys"}`;

import type { ChunkState, ReadingResult } from "#core/table/reference.ts";
import styles from "./marks.module.css";
import type { Severity } from "#core/findings/catalogue/entry.ts";
import type { ReactNode } from "react";
import { formatBytes, formatExactBytes } from "../number-format.ts";

/** Each state has its own shape, so that colour is never the only sign. Drawn in a box of 10 by 10. */
const SHAPES: Readonly<Record<ChunkState, string>> = {
  range: "M5 0.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 1 1 0-9z",
  whole: "M1 1h8v8h-8z",
  inline: "M5 0l5 5l-5 5l-5-5z",
  virtual: "M1.2 0.4h3.4l4.6 4.6l-4.6 4.6h-3.4l4.6-4.6z",
  native: "M5 0.6l4.8 8.6h-9.6z",
  missing: "M5 1.1a3.9 3.9 0 1 1 0 7.8a3.9 3.9 0 1 1 0-7.8z",
  bad: "M1.9 0.5l3.1 3.1l3.1-3.1l1.4 1.4l-3.1 3.1l3.1 3.1l-1.4 1.4l-3.1-3.1l-3.1 3.1l-1.4-1.4l3.1-3.1l-3.1-3.1z",
  unknown: "M1 4.3h1.8v1.4h-1.8zM4.1 4.3h1.8v1.4h-1.8zM7.2 4.3h1.8v1.4h-1.8z",
};

/** Meaning of each state, in one sentence: for titles and legends. */
export const STATE_MEANING: Readonly<Record<ChunkState, string>> = {
  missing: "No reference and no object: every element reads as the fill value.",
  inline: "The bytes are in the dataset itself.",
  whole: "The chunk is a whole file: [url].",
  range: "The chunk is a range of bytes of a file: [url, offset, length].",
  virtual: "The chunk is elsewhere: a range of bytes of a file outside the repository.",
  native: "The chunk is an object in the store itself, or a range of one.",
  bad: "The reference is not valid, so the chunk cannot be read.",
  unknown: "Not known yet: the record, manifest, shard index or object that would tell has not been fetched.",
};

export interface StateMarkProps {
  readonly state: ChunkState;
  /** Writes the state's name beside the mark; without it the name is only spoken. */
  readonly label?: boolean;
}

/** The sign of a chunk's state: a shape in its colour. */
export function StateMark({ state, label = false }: StateMarkProps) {
  const mark = (
    <svg className={styles.mark} data-state={state} viewBox="0 0 10 10" {...(label ? HIDDEN : named(state))}>
      <path d={SHAPES[state]} />
    </svg>
  );
  if (!label) return mark;
  return (
    <span className="inline-row gap-6" title={STATE_MEANING[state]}>
      {mark}
      {state}
    </span>
  );
}

const HIDDEN = { "aria-hidden": true } as const;

const named = (state: ChunkState) => ({ role: "img", "aria-label": state }) as const;

const SEVERITY_SIGNS: Readonly<Record<Severity, string>> = { error: "✕", warning: "!", info: "i" };

/** The sign of a finding's severity. */
export function SeverityMark({ severity }: { readonly severity: Severity }) {
  return (
    <span className={styles.severity} data-severity={severity} role="img" aria-label={severity} title={severity}>
      {SEVERITY_SIGNS[severity]}
    </span>
  );
}

const RESULT_SIGNS: Readonly<Record<ReadingResult, string>> = { "not tried": "·", ok: "✓", failed: "✕" };

/** Result of reading a chunk: a sign and its word. */
export function ResultMark({ result }: { readonly result: ReadingResult }) {
  return (
    <span className={`one-line faint ${styles.result}`} data-result={result}>
      <span aria-hidden="true">{RESULT_SIGNS[result]}</span> {result}
    </span>
  );
}

export interface BadgeProps {
  readonly tone?: "plain" | "accent" | "ok" | "warn" | "bad";
  readonly title?: string;
  readonly children: ReactNode;
}

/** A short fact in a box. */
export function Badge({ tone = "plain", title, children }: BadgeProps) {
  return (
    <span className={styles.badge} data-tone={tone} title={title}>
      {children}
    </span>
  );
}

/** A size for people, with the exact count in the title. */
export function ByteSize({ bytes }: { readonly bytes: number }) {
  return (
    <span className="one-line tabular" title={formatExactBytes(bytes)}>
      {formatBytes(bytes)}
    </span>
  );
}

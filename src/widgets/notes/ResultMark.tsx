import type { ReadingResult } from "#core/table/reference.ts";
import styles from "./ResultMark.module.css";

const SIGN: Readonly<Record<ReadingResult, string>> = { "not tried": "·", ok: "✓", failed: "✕" };

/** Result of reading a chunk: a sign and its word. */
export function ResultMark({ result }: { readonly result: ReadingResult }) {
  return (
    <span className={`one-line faint ${styles.result}`} data-result={result}>
      <span aria-hidden="true">{SIGN[result]}</span> {result}
    </span>
  );
}

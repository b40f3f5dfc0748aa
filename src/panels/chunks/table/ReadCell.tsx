/** What reading the chunk gave: how much came out, or why nothing did. */
import type { ViewRow } from "../../../core/open-set.ts";
import { formatBytes, formatExactBytes } from "../../../widgets/number-format.ts";
import { useExplain } from "../../../widgets/use-explain.ts";
import { RESULT_SIGNS } from "./Chips.tsx";
import styles from "./TablePart.module.css";

export function ReadCell({ row: { result, read, coordinates } }: { readonly row: ViewRow }) {
  const explain = useExplain();
  // A key that is no chunk is never read.
  if (coordinates === undefined) return null;
  const { words, title } = readWords(read, explain);
  return (
    <span className={styles.read} data-result={result} title={title}>
      <span aria-hidden="true">{RESULT_SIGNS[result]}</span> {words}
    </span>
  );
}

function readWords(read: ViewRow["read"], explain: ReturnType<typeof useExplain>) {
  if (read === undefined) return { words: "not read", title: "Nobody has asked for this chunk yet" };
  if (read.result === "ok") {
    if (read.bytes === undefined) return { words: "read", title: "Read: it holds no bytes of its own" };
    return { words: formatBytes(read.bytes), title: `Read: ${formatExactBytes(read.bytes)} decoded` };
  }
  const said = read.why === undefined ? undefined : explain?.(read.why);
  return { words: said?.brief ?? "failed", title: said?.message ?? "Reading failed" };
}

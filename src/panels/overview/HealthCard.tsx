import type { Severity } from "../../core/findings/catalogue/entry.ts";
import { severityCounts } from "../../core/findings/severity-counts.ts";
import type { SetSummary } from "../../core/open-set.ts";
import { useEngine, useSend } from "../../store/react.tsx";
import { countOf, formatCount } from "../../widgets/number-format.ts";
import { useExplain } from "../../widgets/use-explain.ts";
import { Card } from "./Card.tsx";
import { HealthMark } from "./HealthMark.tsx";
import { useOutcomes } from "./use-outcomes.ts";
import type { HealthSign } from "./variable-health.ts";
import styles from "./HealthCard.module.css";

interface HealthCardProps {
  readonly set: SetSummary;
  readonly path: string;
}

/** What is known of the health of the set, in one line that leads to its problems. */
export function HealthCard({ set, path }: HealthCardProps) {
  const send = useSend();
  const explain = useExplain();
  const readings = useEngine("chunk.findings", { set: set.id }).data ?? [];
  const outcomes = [...useOutcomes(set.id).values()].filter(({ array }) => isWithin(array, path));
  const failed = outcomes.reduce((sum, one) => sum + one.failed, 0);
  const read = outcomes.reduce((sum, one) => sum + one.ok + one.failed, 0);
  const counts =
    explain === undefined
      ? undefined
      : severityCounts([...set.findings, ...readings.flatMap(([, findings]) => findings)], explain);
  const sign = signOf(counts, failed);
  return (
    <Card title="Health">
      <button type="button" className={styles.line} onClick={() => send({ kind: "focus-problems" })}>
        <HealthMark sign={sign} />
        <span className={styles.text} data-sign={sign}>
          {counts === undefined ? " " : wordsOf(counts)}
        </span>
        <span className={styles.lead}>Problems</span>
      </button>
      <p className={styles.note}>
        {read === 0 ? "No chunk was read yet: nothing is known of values." : readWords(read, failed)}
      </p>
    </Card>
  );
}

const isWithin = (array: string, path: string) => path === "" || array === path || array.startsWith(`${path}/`);

type Counts = ReadonlyMap<Severity, number>;

function signOf(counts: Counts | undefined, failed: number): HealthSign {
  if (failed > 0 || (counts?.get("error") ?? 0) > 0) return "bad";
  return (counts?.get("warning") ?? 0) > 0 ? "partly" : "unknown";
}

/** "22 chunks read so far, 2 of them failed." */
function readWords(read: number, failed: number): string {
  const failures = failed === 0 ? "" : `, ${formatCount(failed)} of them failed`;
  return `${countOf(read, "chunk")} read so far${failures}.`;
}

/** "2 errors, 3 warnings" */
function wordsOf(counts: Counts): string {
  const of = (severity: Severity) => counts.get(severity) ?? 0;
  const parts = [
    ...(of("error") > 0 ? [countOf(of("error"), "error")] : []),
    ...(of("warning") > 0 ? [countOf(of("warning"), "warning")] : []),
    ...(of("info") > 0 ? [countOf(of("info"), "note")] : []),
  ];
  return parts.length === 0 ? "No problem found so far" : parts.join(", ");
}

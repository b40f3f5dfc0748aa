import type { SetSummary } from "../../core/open-set.ts";
import { useActions, useAppState } from "../../store/react.tsx";
import type { ProblemCounts } from "../../store/state.ts";
import { countOf, formatCount } from "../../widgets/number-format.ts";
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
  const actions = useActions();
  const counts = useAppState((state) => state.problems);
  const outcomes = [...useOutcomes(set.id).values()].filter((one) => isWithin(one.path, path));
  const failed = outcomes.reduce((sum, one) => sum + one.failed, 0);
  const isNew = outcomes.some((one) => one.failed > (counts?.accepted?.failing.get(one.path) ?? 0));
  const read = outcomes.reduce((sum, one) => sum + one.ok + one.failed, 0);
  return (
    <Card title="Health">
      <button type="button" className={styles.line} onClick={() => actions.showView("check")}>
        <HealthMark sign={signOf(counts, isNew)} />
        <span className={styles.text}>{counts === undefined ? " " : causesText(counts)}</span>
        <span className={styles.lead}>Check</span>
      </button>
      <p className={styles.note}>
        {read === 0 ? "No chunk was read yet: nothing is known of values." : readText(read, failed)}
      </p>
    </Card>
  );
}

const isWithin = (array: string, path: string) => path === "" || array === path || array.startsWith(`${path}/`);

function signOf(counts: ProblemCounts | undefined, hasNew: boolean): HealthSign {
  if (hasNew || (counts?.errors ?? 0) > 0) return "bad";
  return (counts?.warnings ?? 0) > 0 ? "partly" : "unknown";
}

/** "22 chunks read so far, 2 of them failed." */
function readText(read: number, failed: number): string {
  const failures = failed === 0 ? "" : `, ${formatCount(failed)} of them failed`;
  return `${countOf(read, "chunk")} read so far${failures}.`;
}

/** "2 errors, 3 warnings" */
function causesText({ errors, warnings, notes, accepted }: ProblemCounts): string {
  const parts = [
    ...(errors > 0 ? [countOf(errors, "error")] : []),
    ...(warnings > 0 ? [countOf(warnings, "warning")] : []),
    ...(notes > 0 ? [countOf(notes, "note")] : []),
    ...(accepted === undefined || accepted.count === 0 ? [] : [`${formatCount(accepted.count)} set aside`]),
  ];
  return parts.length === 0 ? "No problem found so far" : parts.join(", ");
}

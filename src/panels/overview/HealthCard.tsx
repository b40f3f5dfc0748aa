import type { SetSummary } from "../../core/open-set.ts";
import type { ArrayTally } from "../../core/reading-tally.ts";
import { useActions, useAppState } from "../../store/react.tsx";
import type { ProblemCounts } from "../../store/state.ts";
import { countOf, formatCount } from "../../widgets/number-format.ts";
import { Card } from "./Card.tsx";
import { HealthMark } from "./HealthMark.tsx";
import { useOutcomes } from "./use-outcomes.ts";
import { readText, type HealthSign } from "./variable-health.ts";
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
  const aside = outcomes.reduce((sum, one) => sum + asideOf(one, counts), 0);
  const read = outcomes.reduce((sum, one) => sum + one.ok + one.failed, 0);
  return (
    <Card title="Health">
      <button type="button" className={styles.line} onClick={() => actions.showView("check")}>
        <HealthMark sign={signOf(counts, failed > aside)} />
        <span className={styles.text}>{counts === undefined ? " " : causesText(counts)}</span>
        <span className={styles.lead}>Check</span>
      </button>
      <p className={styles.note}>
        {read === 0 ? "No chunk was read yet: nothing is known of values." : readText(read, failed - aside, aside)}
      </p>
    </Card>
  );
}

const isWithin = (array: string, path: string) => path === "" || array === path || array.startsWith(`${path}/`);

function signOf(counts: ProblemCounts | undefined, hasNew: boolean): HealthSign {
  if (hasNew || (counts?.errors ?? 0) > 0) return "bad";
  return (counts?.warnings ?? 0) > 0 ? "partly" : "unknown";
}

/** Failures that are set aside. */
const asideOf = ({ path, failed }: ArrayTally, counts: ProblemCounts | undefined): number =>
  Math.min(failed, counts?.accepted?.failing.get(path) ?? 0);

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

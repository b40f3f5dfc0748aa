/** Whether the set is right: the verdict, five answers, and the causes, most data affected first. */
import type { CheckCosts } from "../../core/check.ts";
import { lossWords } from "../../core/verdict-words.ts";
import type { SetSummary } from "../../core/open-set.ts";
import { useAppState, useEngine } from "../../store/react.tsx";
import { useCheckRuns, type CheckRuns } from "../../store/use-check-runs.ts";
import { countOf, formatBytes } from "../../widgets/number-format.ts";
import { Loading } from "../../widgets/Loading.tsx";
import { AppliedRepair } from "./AppliedRepair.tsx";
import { Causes } from "./Causes.tsx";
import { CoverageBars } from "./CoverageBars.tsx";
import { byWeight } from "./cause-order.ts";
import { nextSteps } from "./NextSteps.tsx";
import { ReportMenu } from "./ReportMenu.tsx";
import { Questions } from "./Questions.tsx";
import { useFindings } from "./use-findings.ts";
import { saidOf, useVerdict } from "./use-verdict.ts";
import styles from "./CheckPanel.module.css";

export function CheckPanel() {
  const set = useAppState((state) => state.set);
  return set === undefined ? null : <Check key={set.id} set={set} />;
}

function Check({ set }: { readonly set: SetSummary }) {
  const { findings, nodes } = useFindings();
  const known = useVerdict(set, findings);
  const runs = useCheckRuns(set.id);
  const costs = useEngine("check.costs", { set: set.id }).last?.data;
  if (findings === undefined || known === undefined) return <Loading label="Looking at the references" />;
  const { verdict, headline, checked, isUnchecked } = known;
  const ordered = byWeight(findings, nodes);
  return (
    <section className={styles.panel} aria-label="Check">
      <div className={styles.page}>
        <header className={styles.head}>
          <div className={styles.subject}>
            <h2>{headline}</h2>
            <p>{lossWords(saidOf(ordered), (path) => nodes.get(path)?.cells)}</p>
            <p className={styles.quiet}>{glanceWords(runs)}</p>
          </div>
          <div className={styles.side}>
            <div className={styles.buttons}>
              <ReportMenu set={set} known={known} findings={ordered} nodes={nodes} />
              <CheckAll costs={costs} runs={runs} />
            </div>
            <CoverageBars checked={checked} references={set.references} isUnchecked={isUnchecked} />
          </div>
        </header>
        <Questions verdict={verdict} next={nextSteps({ set, checked, costs, runs })} />
        <AppliedRepair />
        <Causes set={set.id} findings={ordered} nodes={nodes} />
      </div>
    </section>
  );
}

/** What was looked at unasked, and what that took. */
function glanceWords({ glance }: CheckRuns): string {
  if (glance?.running === true) return "Looking at what is doubtful…";
  const { targets = 0, chunks = 0, bytes = 0 } = glance?.found ?? {};
  const parts = [
    ...(targets > 0 ? [`asked ${countOf(targets, "target")}`] : []),
    ...(chunks > 0 ? [`read ${countOf(chunks, "doubtful chunk")} (${formatBytes(bytes)})`] : []),
  ];
  return parts.length === 0 ? "" : `Unasked, since it costs little: ${parts.join(" and ")}.`;
}

interface CheckAllProps {
  readonly costs: CheckCosts | undefined;
  readonly runs: CheckRuns;
}

/** Targets and values, with what both cost. */
function CheckAll({ costs, runs }: CheckAllProps) {
  const isRunning = runs.sources?.running === true || runs.values?.running === true;
  if (isRunning) {
    return (
      <button type="button" onClick={runs.cancel}>
        Stop
      </button>
    );
  }
  return (
    <button
      type="button"
      data-kind="primary"
      title="Asks the targets, and reads and decodes every chunk"
      onClick={() => {
        runs.askTargets();
        runs.decode();
      }}
    >
      Check all{costs === undefined ? "" : ` · ${formatBytes(costs.values.bytes + costs.sources.bytes)}`}
    </button>
  );
}

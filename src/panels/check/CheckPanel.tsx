/** Whether the set is right: the verdict, five answers, and the causes, most data affected first. */
import { lossWords } from "../../core/verdict-words.ts";
import type { SetSummary } from "../../core/open-set.ts";
import { useAppState } from "../../store/react.tsx";
import { Loading } from "../../widgets/Loading.tsx";
import { AppliedRepair } from "./AppliedRepair.tsx";
import { Causes } from "./Causes.tsx";
import { CoverageBars } from "./CoverageBars.tsx";
import { byWeight } from "./cause-order.ts";
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
  if (findings === undefined || known === undefined) return <Loading label="Looking at the references" />;
  const { verdict, headline, checked, isUnchecked } = known;
  const ordered = byWeight(findings, nodes);
  return (
    <section className={styles.panel} aria-label="Check">
      <div className={styles.page}>
        <header className={styles.head}>
          <div className={styles.subject}>
            <h1>{headline}</h1>
            <p>{lossWords(saidOf(ordered), (path) => nodes.get(path)?.cells)}</p>
          </div>
          <div className={styles.side}>
            <CoverageBars checked={checked} references={set.references} isUnchecked={isUnchecked} />
          </div>
        </header>
        <Questions verdict={verdict} next={{}} />
        <AppliedRepair />
        <Causes set={set.id} findings={ordered} nodes={nodes} />
      </div>
    </section>
  );
}

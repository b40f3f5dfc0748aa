/** What is wrong with the set as far as it was looked at, each cause once. */
import { useState } from "react";
import type { Severity } from "../../core/findings/catalogue/entry.ts";
import type { SetSummary } from "../../core/open-set.ts";
import { useAppState } from "../../store/react.tsx";
import { CopyButton } from "../../widgets/CopyButton.tsx";
import { countOf } from "../../widgets/number-format.ts";
import { CauseItem } from "./CauseItem.tsx";
import { coverageWords } from "./coverage-words.ts";
import { FindingList } from "./FindingList.tsx";
import { causesBySeverity, findingText, ofSeverity, type ListedFinding } from "./findings.ts";
import { SeverityFilter } from "./SeverityFilter.tsx";
import { useFindings } from "./use-findings.ts";
import { useGoTo } from "./use-go-to.ts";
import styles from "./CheckPanel.module.css";

const ROW_HEIGHT = 60;

export function CheckPanel() {
  const set = useAppState((state) => state.set);
  return set === undefined ? null : <Check key={set.id} set={set} />;
}

function Check({ set }: { readonly set: SetSummary }) {
  const { findings, nodes } = useFindings();
  const [shown, setShown] = useState<Severity>();
  const goTo = useGoTo(nodes);
  if (findings === undefined) return null;
  const visible = ofSeverity(findings, shown);
  return (
    <section className={styles.panel} aria-label="Problems found">
      <header className={styles.head}>
        <h2>{verdictOf(findings)}</h2>
        <p>
          {coverageWords(set.coverage)} Values and targets are looked at when a chunk is read; chunks that were not read
          may fail.
        </p>
        {findings.length === 0 ? null : (
          <div className={styles.tools}>
            <SeverityFilter findings={findings} shown={shown} onShow={setShown} />
            <CopyButton what="list of problems" label text={() => visible.map(findingText).join("\n\n")} />
          </div>
        )}
      </header>
      {visible.length === 0 ? (
        <p className={styles.none}>
          {findings.length === 0
            ? "Read a chunk, or look at an array in Data: what fails there is listed here."
            : "None of this severity. Choose another one above."}
        </p>
      ) : (
        <FindingList
          key={shown ?? ""}
          Item={CauseItem}
          rowHeight={ROW_HEIGHT}
          findings={visible}
          nodes={nodes}
          onGo={goTo}
        />
      )}
    </section>
  );
}

/** "2 errors and 1 warning in what was looked at" */
function verdictOf(findings: readonly ListedFinding[]): string {
  const { errors, warnings } = causesBySeverity(findings);
  if (errors + warnings === 0) return "Nothing wrong in what was looked at";
  const parts = [
    ...(errors > 0 ? [countOf(errors, "error")] : []),
    ...(warnings > 0 ? [countOf(warnings, "warning")] : []),
  ];
  return `${parts.join(" and ")} in what was looked at`;
}

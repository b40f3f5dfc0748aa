import { useCallback, useEffect, useState } from "react";
import type { Severity } from "../../core/findings/catalogue/entry.ts";
import type { RuleCoverage } from "../../core/open-set.ts";
import type { Diagnostic } from "../../core/studio.ts";
import { useAppState } from "../../store/react.tsx";
import { coverageWords } from "./coverage-words.ts";
import { FindingItem } from "./FindingItem.tsx";
import { FindingList, type FindingListProps } from "./FindingList.tsx";
import { ofSeverity, type ListedFinding } from "./findings.ts";
import { useNoted } from "./ProblemsNoted.tsx";
import { SeverityFilter } from "./SeverityFilter.tsx";
import { useFindings, type EditedText } from "./use-findings.ts";
import { useGoTo } from "./use-go-to.ts";
import styles from "./ProblemsPanel.module.css";

export interface ProblemsPanelProps extends EditedText {
  readonly collapsed: boolean;
  readonly onToggle: () => void;
  /** Told how high the panel must be to show all of it, in CSS pixels. */
  readonly onHeight?: (pixels: number) => void;
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
  readonly onFix?: (diagnostic: Diagnostic) => void;
}

const HEAD_HEIGHT = 32;
const ROW_HEIGHT = 29;
const ignore = () => undefined;
const NO_COVERAGE: readonly RuleCoverage[] = [];

/** What was noticed about the edited document, the set it makes and the chunks read so far. A click goes there. */
export function ProblemsPanel(props: ProblemsPanelProps) {
  const { collapsed, onToggle, onHeight = ignore } = props;
  const coverage = useAppState((state) => state.set?.coverage ?? NO_COVERAGE);
  const { findings, nodes } = useFindings(props);
  const [shown, setShown] = useState<Severity>();
  const visible = ofSeverity(findings ?? [], shown);
  useNoted(findings);
  const goToPlace = useGoTo(nodes);
  const goTo = (listed: ListedFinding) => {
    if (listed.diagnostic === undefined) goToPlace(listed);
    else props.onDiagnostic?.(listed.diagnostic);
  };
  const onListHeight = useCallback(
    (pixels: number) => {
      onHeight(HEAD_HEIGHT + pixels);
    },
    [onHeight],
  );
  return (
    <section className={styles.panel} aria-label="Problems found">
      <header className={styles.head}>
        <button type="button" data-kind="quiet" aria-expanded={!collapsed} className={styles.toggle} onClick={onToggle}>
          <svg viewBox="0 0 8 8" aria-hidden="true">
            <path d="M1 2.5l3 3l3-3" />
          </svg>
          <h2>Problems</h2>
        </button>
        <SeverityFilter findings={findings ?? []} shown={shown} onShow={setShown} />
      </header>
      <div className={styles.body} hidden={collapsed}>
        {findings === undefined ? null : visible.length === 0 ? (
          <NoProblems filtered={findings.length > 0} coverage={coverage} onHeight={onListHeight} />
        ) : (
          <FindingList
            key={`editing ${shown ?? ""}`}
            Item={FindingItem}
            rowHeight={ROW_HEIGHT}
            findings={visible}
            nodes={nodes}
            onGo={goTo}
            onHeight={onListHeight}
            onFix={props.onFix}
          />
        )}
      </div>
    </section>
  );
}

interface NoProblemsProps extends Pick<FindingListProps, "onHeight"> {
  readonly filtered: boolean;
  readonly coverage: readonly RuleCoverage[];
}

function NoProblems({ filtered, coverage, onHeight }: NoProblemsProps) {
  useEffect(() => {
    onHeight?.(0);
  }, [onHeight]);
  if (filtered)
    return (
      <p className={styles.none}>
        <b>None of this severity.</b> Choose another one above.
      </p>
    );
  return (
    <p className={styles.none}>
      <b>No problem found so far.</b> {coverageWords(coverage)} A chunk is checked when you read it: click one.
    </p>
  );
}

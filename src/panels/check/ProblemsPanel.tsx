import { useCallback, useEffect, useState } from "react";
import type { Severity } from "#core/findings/catalogue/entry.ts";
import { SEVERITIES } from "#core/findings/explained.ts";
import type { Coverage, RuleCoverage } from "#core/open-set.ts";
import type { Diagnostic } from "#core/studio.ts";
import { useAppState } from "#store/react.tsx";
import { FindingItem } from "#widgets/notes/FindingItem.tsx";
import { countOf, formatCount } from "#widgets/number-format.ts";
import { useToggles } from "#widgets/hooks.ts";
import { useRovingList } from "#widgets/controls/roving.ts";
import { Button, QuietButton } from "#widgets/controls/Button.tsx";
import { FindingDetails } from "./FindingDetails.tsx";
import styles from "./ProblemsPanel.module.css";
import type { NodesByPath } from "#core/metadata/chunk-of-key.ts";
import { countsBySeverity, type ListedFinding, ofSeverity, whereOf } from "./findings.ts";
import { type EditedText, useFindings, useNoted } from "./use-findings.ts";
import { useGoTo } from "./use-go-to.ts";

export interface ProblemsPanelProps extends EditedText {
  readonly collapsed: boolean;
  readonly onToggle: () => void;
  /** Called with the height that shows all of the panel, in CSS pixels. */
  readonly onHeight: (pixels: number) => void;
  readonly onDiagnostic: (diagnostic: Diagnostic) => void;
  /** Makes the edit that a finding offers. */
  readonly onFix: (diagnostic: Diagnostic) => void;
}

const HEAD_HEIGHT = 32;
/** About, while it is closed. */
const ROW_HEIGHT = 29;
const NO_COVERAGE: readonly RuleCoverage[] = [];

/** Problems of the edited document, the set it makes and the chunks read so far. A click goes to their place. */
export function ProblemsPanel(props: ProblemsPanelProps) {
  const { collapsed, onToggle, onHeight } = props;
  const { findings, nodes } = useFindings(props);
  const [shown, setShown] = useState<Severity>();
  const visible = ofSeverity(findings ?? [], shown);
  useNoted(findings);
  const goToPlace = useGoTo(nodes);
  const goTo = (listed: ListedFinding) => {
    if (listed.diagnostic === undefined) goToPlace(listed);
    else props.onDiagnostic(listed.diagnostic);
  };
  const onListHeight = useCallback((pixels: number) => onHeight(HEAD_HEIGHT + pixels), [onHeight]);
  return (
    <section className="column low tall surface" aria-label="Problems found">
      <header className={styles.head}>
        <QuietButton aria-expanded={!collapsed} className={`inline-row gap-6 ${styles.toggle}`} onClick={onToggle}>
          <svg viewBox="0 0 8 8" aria-hidden="true">
            <path d="M1 2.5l3 3l3-3" />
          </svg>
          <h2>Problems</h2>
        </QuietButton>
        <SeverityFilter findings={findings ?? []} shown={shown} onShow={setShown} />
      </header>
      <div className={`grow low ${styles.body}`} hidden={collapsed}>
        {findings === undefined ? null : visible.length === 0 ? (
          <NoProblems filtered={findings.length > 0} onHeight={onListHeight} />
        ) : (
          <FindingList
            key={`editing ${shown ?? ""}`}
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

function NoProblems({ filtered, onHeight }: Pick<FindingListProps, "onHeight"> & { readonly filtered: boolean }) {
  const coverage = useAppState((state) => state.set?.coverage ?? NO_COVERAGE);
  useEffect(() => {
    onHeight(0);
  }, [onHeight]);
  if (filtered)
    return (
      <p className={styles.none}>
        <b className="ink strong">No problems of this severity</b> Choose another severity above.
      </p>
    );
  return (
    <p className={styles.none}>
      <b className="ink strong">No problems found so far.</b> {coverageWords(coverage)} Click a chunk to read and check
      it.
    </p>
  );
}

// How much was looked at for the findings that there are.

const UNITS = ["arrays", "references", "targets", "chunks"] as const satisfies readonly Coverage["unit"][];

/** `Checked 8 arrays and 3 of 121 references.` Of several rules, that counts which came least far. */
export function coverageWords(coverage: readonly RuleCoverage[]): string {
  const parts = UNITS.flatMap((unit) => {
    const [least] = coverage.filter((one) => one.unit === unit).toSorted((a, b) => reached(a) - reached(b));
    return least === undefined || least.of === 0
      ? []
      : [part(least, unit === "targets" ? "source" : unit.slice(0, -1))];
  });
  return parts.length === 0 ? "" : `Checked ${parts.join(" and ")}.`;
}

const reached = ({ lookedAt, sampled }: Coverage): number => lookedAt + sampled;

function part(coverage: Coverage, unit: string): string {
  const { of, sampled } = coverage;
  const all =
    reached(coverage) === of ? countOf(of, unit) : `${formatCount(reached(coverage))} of ${countOf(of, unit)}`;
  return sampled === 0 ? all : `${all}, ${formatCount(sampled)} of them judged from a sample`;
}

interface SeverityFilterProps {
  readonly findings: readonly ListedFinding[];
  readonly shown: Severity | undefined;
  readonly onShow: (severity: Severity | undefined) => void;
}

const NAMES: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", info: "note" };

function SeverityFilter({ findings, shown, onShow }: SeverityFilterProps) {
  const counts = countsBySeverity(findings);
  return (
    <div className="flex gap-4" role="group" aria-label="Show only">
      {SEVERITIES.map((severity) => {
        const count = counts.get(severity) ?? 0;
        return (
          <Button
            key={severity}
            className={styles.chip}
            data-severity={severity}
            aria-pressed={shown === severity}
            disabled={count === 0 && shown !== severity}
            onClick={() => onShow(shown === severity ? undefined : severity)}
          >
            {countOf(count, NAMES[severity])}
          </Button>
        );
      })}
    </div>
  );
}

interface FindingListProps extends Pick<ProblemsPanelProps, "onFix"> {
  readonly findings: readonly ListedFinding[];
  readonly nodes: NodesByPath;
  readonly onGo: (listed: ListedFinding) => void;
  /** Called with the height of the whole list, in CSS pixels, whenever it changes. */
  readonly onHeight: (pixels: number) => void;
}

const WHOLE_BELOW = 200;

/** The list "Problems"; arrows move between items. */
function FindingList({ findings, nodes, onGo, onHeight, onFix }: FindingListProps) {
  const [opened, toggle] = useToggles<number>();
  const { box, virtualizer, active, setActive, onKeyDown } = useRovingList({
    count: findings.length,
    rowHeight: ROW_HEIGHT,
    wholeBelow: WHOLE_BELOW,
  });
  const height = virtualizer.getTotalSize();
  useEffect(() => {
    onHeight(height);
  }, [height, onHeight]);
  return (
    <div ref={box} className={styles.scroll}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows move among the buttons in it */}
      <ul aria-label="Problems" className="relative" style={{ height }} onKeyDown={onKeyDown}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const listed = findings[index];
          if (listed === undefined) return null;
          return (
            <FindingItem
              key={index}
              {...listed}
              where={whereOf(listed)}
              opened={opened.has(index)}
              tabIndex={index === active ? 0 : -1}
              item={{
                className: styles.item,
                ref: virtualizer.measureElement,
                "data-index": index,
                "aria-posinset": index + 1,
                "aria-setsize": findings.length,
                style: { transform: `translateY(${start}px)` },
              }}
              onFocus={() => setActive(index)}
              onGo={() => onGo(listed)}
              onToggle={() => toggle(index)}
              aside={<FixButton listed={listed} tabIndex={index === active ? 0 : -1} onFix={onFix} />}
            >
              <FindingDetails listed={listed} nodes={nodes} onGo={(place) => onGo({ ...listed, place })} />
            </FindingItem>
          );
        })}
      </ul>
    </div>
  );
}

interface FixButtonProps extends Pick<ProblemsPanelProps, "onFix"> {
  readonly listed: ListedFinding;
  readonly tabIndex: number;
}

function FixButton({ listed: { diagnostic }, tabIndex, onFix }: FixButtonProps) {
  if (diagnostic?.fix === undefined) return null;
  return (
    <Button tabIndex={tabIndex} title={diagnostic.fix.title} onClick={() => onFix(diagnostic)}>
      Fix
    </Button>
  );
}

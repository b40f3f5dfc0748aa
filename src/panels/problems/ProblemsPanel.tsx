import { useCallback, useEffect, useMemo, useRef, useState, type RefObject } from "react";
import type { Severity } from "../../core/findings/catalogue/entry.ts";
import type { Finding } from "../../core/findings/finding.ts";
import { SEVERITIES } from "../../core/findings/explained.ts";
import type { RuleCoverage } from "../../core/open-set.ts";
import type { Diagnostic } from "../../core/studio.ts";
import { useActions, useAppState, useCommand, useEngine, useSend } from "../../store/react.tsx";
import { formatCount } from "../../widgets/number-format.ts";
import { useExplain } from "../../widgets/use-explain.ts";
import { nodesByPath, type NodesByPath } from "./chunk-of-key.ts";
import { placeOfFinding, type FindingPlace } from "./finding-place.ts";
import { FindingList, type FindingListProps } from "./FindingList.tsx";
import { coverageWords } from "./coverage-words.ts";
import { causesBySeverity, countsBySeverity, listedFindings, type ListedFinding } from "./findings.ts";
import styles from "./ProblemsPanel.module.css";

export interface ProblemsPanelProps {
  readonly collapsed: boolean;
  readonly onToggle: () => void;
  /** Told how high the panel must be to show all of it, in CSS pixels. */
  readonly onHeight?: (pixels: number) => void;
  /** While the document is edited: findings at places in its text. */
  readonly diagnostics?: readonly Diagnostic[];
  /** The document cannot be read at the moment: what was noticed about the set before is about another text. */
  readonly unreadable?: boolean;
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
  readonly onFix?: (diagnostic: Diagnostic) => void;
}

const NO_DIAGNOSTICS: readonly Diagnostic[] = [];

const HEAD_HEIGHT = 32;
const ignore = () => undefined;
const NO_READINGS: readonly (readonly [string, readonly Finding[]])[] = [];

/** What was noticed about the open set and the chunks read so far. A click goes there. */
export function ProblemsPanel(props: ProblemsPanelProps) {
  const { collapsed, onToggle, onHeight = ignore, diagnostics = NO_DIAGNOSTICS, unreadable = false } = props;
  const set = useAppState((state) => state.set);
  const readings = useEngine("chunk.findings", set === undefined ? undefined : { set: set.id }).data ?? NO_READINGS;
  const address = useAppState((state) => state.addressFindings);
  const [shown, setShown] = useState<Severity>();
  const explain = useExplain();
  const findings = useMemo(() => {
    const ofSet = [...address, ...((unreadable ? undefined : set?.findings) ?? [])];
    return explain === undefined ? [] : listedFindings({ ofSet, ofReadings: readings, diagnostics }, explain);
  }, [address, set, readings, diagnostics, unreadable, explain]);
  const visible = shown === undefined ? findings : findings.filter(({ explained }) => explained.severity === shown);
  const nodes = useMemo(() => nodesByPath(set?.nodes ?? []), [set]);
  useNoted(explain === undefined ? undefined : findings);
  const panel = useRef<HTMLElement>(null);
  useShown(panel, collapsed, onToggle);
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
    <section ref={panel} className={styles.panel} aria-label="Problems found">
      <header className={styles.head}>
        <button type="button" data-kind="quiet" aria-expanded={!collapsed} className={styles.toggle} onClick={onToggle}>
          <svg viewBox="0 0 8 8" aria-hidden="true">
            <path d="M1 2.5l3 3l3-3" />
          </svg>
          <h2>Problems</h2>
        </button>
        <SeverityFilter findings={findings} shown={shown} onShow={setShown} />
      </header>
      <div className={styles.body} hidden={collapsed}>
        {explain === undefined ? null : visible.length === 0 ? (
          <NoProblems filtered={findings.length > 0} coverage={set?.coverage ?? []} onHeight={onListHeight} />
        ) : (
          <FindingList
            key={`${diagnostics === NO_DIAGNOSTICS ? (set?.id ?? 0) : "editing"} ${shown ?? ""}`}
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

/** Says elsewhere on the page how many there are; `undefined`: not known yet. */
function useNoted(findings: readonly ListedFinding[] | undefined): void {
  const actions = useActions();
  useEffect(() => {
    actions.noteProblems(findings === undefined ? undefined : causesBySeverity(findings));
  }, [actions, findings]);
}

/** Asked to show itself, it opens, and its first line has the focus. */
function useShown(panel: RefObject<HTMLElement | null>, collapsed: boolean, onToggle: () => void): void {
  useCommand("show-problems", () => {
    if (collapsed) onToggle();
    // Once it is drawn open.
    requestAnimationFrame(() => {
      const first = panel.current?.querySelector<HTMLElement>('li [tabindex="0"]');
      (first ?? panel.current?.querySelector("button"))?.focus();
      panel.current?.scrollIntoView({ block: "nearest" });
    });
  });
}

interface NoProblemsProps extends Pick<FindingListProps, "onHeight"> {
  readonly filtered: boolean;
  readonly coverage: readonly RuleCoverage[];
}

function NoProblems({ filtered, coverage, onHeight }: NoProblemsProps) {
  useEffect(() => {
    onHeight(0);
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

interface SeverityFilterProps {
  readonly findings: readonly ListedFinding[];
  readonly shown: Severity | undefined;
  readonly onShow: (severity: Severity | undefined) => void;
}

const PLURAL: Readonly<Record<Severity, readonly [string, string]>> = {
  error: ["error", "errors"],
  warning: ["warning", "warnings"],
  info: ["note", "notes"],
};

function SeverityFilter({ findings, shown, onShow }: SeverityFilterProps) {
  const counts = countsBySeverity(findings);
  return (
    <div className={styles.filter} role="group" aria-label="Show only">
      {SEVERITIES.map((severity) => {
        const count = counts.get(severity) ?? 0;
        return (
          <button
            key={severity}
            type="button"
            className={styles.chip}
            data-severity={severity}
            aria-pressed={shown === severity}
            disabled={count === 0 && shown !== severity}
            onClick={() => {
              onShow(shown === severity ? undefined : severity);
            }}
          >
            {formatCount(count)} {PLURAL[severity][count === 1 ? 0 : 1]}
          </button>
        );
      })}
    </div>
  );
}

function useGoTo(nodes: NodesByPath) {
  const actions = useActions();
  const send = useSend();
  return (listed: ListedFinding) => {
    const place: FindingPlace = placeOfFinding(listed, nodes);
    if (place.kind === "chunk") actions.selectChunk(place.array, place.coordinates);
    else if (place.kind === "locations") send({ kind: "show-locations" });
    else {
      actions.selectNode(place.kind === "node" ? place.path : "");
      actions.showView(place.kind === "node" ? place.view : "overview");
      if (place.kind === "node" && place.key !== undefined) {
        send({ kind: "find-row", node: place.path, key: place.key });
      }
    }
  };
}

/** The list of causes, by array where that is asked for, and the notes below them. */
import { type ReactNode, useMemo, useState } from "react";
import type { ArrayTally } from "#core/values/reading-tally.ts";
import { useCommand } from "#store/react.tsx";
import { useToggles } from "#widgets/hooks.ts";
import { SeverityMark } from "#widgets/notes/marks.tsx";
import { formatCount } from "#widgets/number-format.ts";
import { Button, CopyButton } from "#widgets/controls/Button.tsx";
import { CauseItem, MoreButton, type ListedItemProps } from "./CauseItem.tsx";
import styles from "./Causes.module.css";
import { FindingDetails } from "./FindingDetails.tsx";
import { FixAll, useSearchedFixes } from "./FixAll.tsx";
import { SetAsideButton } from "./SetAside.tsx";
import { SinceWhen } from "./SinceWhen.tsx";
import { reachOf } from "#core/check/cause-reach.ts";
import type { NodesByPath } from "#core/metadata/chunk-of-key.ts";
import { alikeAsOne, findingText, type ListedFinding, whereOf } from "./findings.ts";
import { useGoTo } from "./use-go-to.ts";
import type { Check } from "./use-check.ts";
import { CauseEvidence } from "./values/CauseEvidence.tsx";

/** More are shown when asked for. */
const FIRST = 50;
/** Number of causes for which fixes are searched unasked. */
const EARLY = 12;
/** Arrays to choose from. */
const MAX_CHIPS = 6;

/**
 * Alike problems as one, and those of the chosen array. Acceptances that nothing needs stand with what is set aside.
 */
function useProblems({ findings: all, nodes, array, aside }: Check) {
  const findings = useMemo(() => {
    const told = all.filter(({ found }) => found.code !== "acceptance-unused");
    return alikeAsOne(told, (one) => aside?.outgrown.has(one) === true);
  }, [all, aside]);
  const arrayOf = useMemo(() => new Map(findings.map((one) => [one, reachOf(one, nodes)?.array])), [findings, nodes]);
  const shown = array === undefined ? findings : findings.filter((one) => arrayOf.get(one) === array);
  const wrong = findings.filter((one) => !isNote(one));
  return { findings, arrayOf, shown, wrong, causes: shown.filter((one) => !isNote(one)), notes: shown.filter(isNote) };
}

const isNote = ({ said }: ListedFinding): boolean => said.severity === "info";

export function Causes({ check }: { readonly check: Check }) {
  const { set, nodes, array, showArray: onArray } = check;
  const { findings, arrayOf, shown, wrong, causes, notes } = useProblems(check);
  const [isAll, setAll] = useState(false);
  const [opened, toggle] = useToggles<string>();
  const { fixes, note } = useSearchedFixes();
  const goTo = useGoTo(nodes);
  const since = useAskedSince(wrong[0], { opened, toggle, onArray });
  const common = (listed: ListedFinding): ListedItemProps => ({
    set: set.id,
    listed,
    nodes,
    outgrown: check.aside?.outgrown.get(listed),
    opened: opened.has(keyOf(listed)),
    since: since(listed),
    onGo: (place) => goTo({ ...listed, place }),
    onToggle: () => toggle(keyOf(listed)),
  });
  return (
    <>
      <div className={styles.head}>
        <h3>Problems</h3>
        <span>
          {wrong.length === 0
            ? "none found so far"
            : `${formatCount(wrong.length)}, errors first, then by data affected`}
        </span>
        <FixAll causes={wrong.map((one) => [one, fixes.get(keyOf(one))])} />
        <ArrayChips {...{ findings, arrayOf, array, onArray }} />
        {shown.length === 0 ? null : (
          <CopyButton what="list of problems" label text={() => shown.map(findingText).join("\n\n")} />
        )}
      </div>
      <ul aria-label="Problems" className={styles.list}>
        {(isAll ? causes : causes.slice(0, FIRST)).map((listed, at) => (
          <CauseItem key={keyOf(listed)} isEarly={at < EARLY} name={keyOf(listed)} onFix={note} {...common(listed)} />
        ))}
        {(isAll ? notes : notes.slice(0, FIRST)).map((listed, at) => (
          <NoteItem
            key={keyOf(listed)}
            {...common(listed)}
            heading={
              at > 0 ? null : (
                <div className={styles.notes}>
                  <h3 className="ink subject">Notes</h3>
                  <span>{formatCount(notes.length)}</span>
                </div>
              )
            }
          />
        ))}
      </ul>
      {isAll || Math.max(causes.length, notes.length) <= FIRST ? null : (
        <Button className={styles.rest} onClick={() => setAll(true)}>
          Show all {formatCount(causes.length + notes.length)}
        </Button>
      )}
    </>
  );
}

interface Shown extends Pick<ArrayChipsProps, "onArray"> {
  readonly opened: ReadonlySet<string>;
  readonly toggle: (key: string) => void;
}

/** Opens the worst problem where its first commit is asked for from elsewhere; tells how often it was. */
function useAskedSince(worst: ListedFinding | undefined, { opened, toggle, onArray }: Shown) {
  const [since, setSince] = useState({ of: "", times: 0 });
  useCommand("since-when", () => {
    if (worst === undefined) return;
    const of = keyOf(worst);
    setSince({ of, times: since.times + 1 });
    onArray(undefined);
    if (!opened.has(of)) toggle(of);
  });
  return (listed: ListedFinding) => (since.of === keyOf(listed) ? since.times : 0);
}

const keyOf = ({ found, place }: ListedFinding): string =>
  JSON.stringify([found.code, place, found.count, found.facts["rule"]]);

interface ArrayChipsProps {
  readonly findings: readonly ListedFinding[];
  readonly arrayOf: ReadonlyMap<ListedFinding, string | undefined>;
  readonly array: string | undefined;
  readonly onArray: (array: string | undefined) => void;
}

/** The arrays with most causes; none where there is but one. */
function ArrayChips({ findings, arrayOf, array: shown, onArray }: ArrayChipsProps) {
  const counts = causesByArray(findings, (one) => arrayOf.get(one));
  if (counts.length < 2) return null;
  return (
    <div className={`flow gap-8 aside ${styles.chips}`} role="group" aria-label="Show only">
      {counts.slice(0, MAX_CHIPS).map(([array, count]) => (
        <Button key={array} aria-pressed={shown === array} onClick={() => onArray(shown === array ? undefined : array)}>
          <b className="ink strong">{array === "" ? "/" : array}</b> {formatCount(count)}
        </Button>
      ))}
    </div>
  );
}

interface NoteItemProps extends ListedItemProps {
  /** Above the first. */
  readonly heading: ReactNode;
}

function NoteItem({ set, listed, nodes, opened, since, outgrown, onGo, onToggle, heading }: NoteItemProps) {
  const { found: finding, said } = listed;
  const { severity, title, message } = said;
  return (
    <li className={styles.item} data-code={finding.code} data-severity={severity}>
      {heading}
      <div className={styles.line}>
        <Button className={styles.go} title={message} onClick={() => onGo(listed.place)}>
          <SeverityMark severity={severity} />
          <b>{title}</b>
          <span className={styles.where}>{whereOf(listed)}</span>
          <span className={styles.message}>{message}</span>
        </Button>
        <MoreButton opened={opened} onToggle={onToggle} />
      </div>
      {opened ? (
        <div className={styles.details}>
          <CauseEvidence set={set} finding={finding} severity={severity} nodes={nodes} />
          <FindingDetails listed={listed} nodes={nodes} onGo={onGo}>
            <SinceWhen key={since} set={set} listed={listed} nodes={nodes} asked={since > 0} />
            <SetAsideButton listed={listed} nodes={nodes} outgrown={outgrown} />
          </FindingDetails>
        </div>
      ) : null}
    </li>
  );
}

/** One chunk is no more than what its cause says of it. */
const LEAST_REST = 2;

/** The array that deserves a closer look: that with most causes, of which chunks are not read yet. */
export interface DoubtfulArray {
  readonly array: string;
  /** Chunks that have a reference. */
  readonly references: number;
}

/** `chosen`: by hand. `undefined` where all of it, or of all that have causes, was read. */
export function doubtfulArray(
  findings: readonly ListedFinding[],
  nodes: NodesByPath,
  tally: readonly ArrayTally[],
  chosen?: string,
): DoubtfulArray | undefined {
  const read = new Map(tally.map(({ path, ok, failed }) => [path, ok + failed]));
  const hasRest = (path: string): boolean => (nodes.get(path)?.present ?? 0) - (read.get(path) ?? 0) >= LEAST_REST;
  const told = (array: string) => ({ array, references: nodes.get(array)?.present ?? 0 });
  if (chosen !== undefined) return hasRest(chosen) ? told(chosen) : undefined;
  const most = causesByArray(findings, (one) => reachOf(one, nodes)?.array).find(([array]) => hasRest(array));
  return most === undefined ? undefined : told(most[0]);
}

/** How many causes lie in each array, most first; notes are none. */
function causesByArray(findings: readonly ListedFinding[], arrayOf: (one: ListedFinding) => string | undefined) {
  const counts = new Map<string, number>();
  for (const one of findings) {
    const array = one.said.severity === "info" ? undefined : arrayOf(one);
    if (array !== undefined) counts.set(array, (counts.get(array) ?? 0) + 1);
  }
  return [...counts].toSorted(([, one], [, other]) => other - one);
}

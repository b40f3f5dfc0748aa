/** Accepting a problem with a reason; and the accepted ones, at the end of the list, with a way back. */
import { useEffect, useRef, useState, type ReactNode } from "react";
import { type Acceptance, acceptanceFor, parseAcceptances, writeAcceptances } from "#core/check/acceptance.ts";
import { findingOfError } from "#core/findings/finding.ts";
import type { NodesByPath } from "#core/metadata/chunk-of-key.ts";
import { useActions, useAppState } from "#store/react.tsx";
import { ErrorNotice } from "#widgets/notes/Notices.tsx";
import { FileButton } from "#widgets/controls/FileButton.tsx";
import { Popover } from "#widgets/controls/Popover.tsx";
import { countOf, formatCount } from "#widgets/number-format.ts";
import { Button, LinkButton, QuietButton } from "#widgets/controls/Button.tsx";
import { type ListedFinding, whereOf } from "./findings.ts";
import { saveJson, keptWords } from "./ExpectationSection.tsx";
import { inReport, type SetAside } from "./set-aside.ts";
import styles from "./SetAside.module.css";
import type { Check } from "./use-check.ts";

interface SetAsideButtonProps {
  readonly listed: ListedFinding;
  readonly nodes: NodesByPath;
  /** It was set aside, and reaches further by now. */
  readonly outgrown: Acceptance | undefined;
}

export function SetAsideButton(props: SetAsideButtonProps) {
  return (
    <Popover label="Accept…" title={`Accept: ${props.listed.said.title}`} align="end" arrow={false}>
      <SetAsideForm {...props} />
    </Popover>
  );
}

function SetAsideForm({ listed, nodes, outgrown }: SetAsideButtonProps) {
  const actions = useActions();
  const [reason, setReason] = useState(outgrown?.reason ?? "");
  const date = today();
  const isReady = reason.trim() !== "";
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isReady) return;
        const acceptances = (listed.alike ?? [listed]).map((one) =>
          acceptanceFor(inReport(one, nodes), date, reason.trim()),
        );
        const [first, ...others] = acceptances;
        if (first !== undefined) actions.setAside(first, outgrown);
        if (others.length > 0) actions.acceptAll(others);
      }}
    >
      <p>Check stops counting this problem. If it spreads, it comes back.</p>
      <label className="grid gap-2">
        Reason
        <input value={reason} maxLength={MAX_REASON} onChange={(event) => setReason(event.currentTarget.value)} />
      </label>
      <div className="row spread gap-8 quiet fine">
        <span>Dated {date}</span>
        <button type="submit" data-kind="primary" disabled={!isReady}>
          Accept
        </button>
      </div>
    </form>
  );
}

const MAX_REASON = 1000;

/** Today in the user's time zone: a Swedish date is an ISO date. */
const today = (): string => new Date().toLocaleDateString("sv");

/** Each acceptance has a line; beyond these they are in the file. */
const MAX_SHOWN = 200;

export function SetAsideList({ check: { set, aside } }: { readonly check: Check }) {
  const actions = useActions();
  const { accepted: all, kept, restored } = useAppState(({ owner }) => owner);
  const [notice, setNotice] = useState<ReactNode>();
  const open = async (files: readonly File[]) => setNotice(await taken(files, (all) => actions.acceptAll(all)));
  const heading = useFocusKept(all.length);
  const isNone = all.length === 0;
  return (
    <section aria-label="Accepted problems" className={styles.section}>
      <div className={styles.head}>
        <h3 className="ink subject" ref={heading} tabIndex={-1}>
          Accepted problems
        </h3>
        <span>
          {isNone ? "None. Accept a problem from its details." : `${formatCount(all.length)}, not counted above`}
        </span>
        <span className="flow gap-8 aside">
          {isNone ? null : (
            <Button onClick={() => saveJson(writeAcceptances(all), set.name, "accepted")}>Save as file</Button>
          )}
          <FileButton
            text="Open a file…"
            title="An acceptance file, as read by check --accept"
            onFiles={(files) => void open(files)}
          />
          {isNone ? null : <QuietButton onClick={() => actions.acceptNothing()}>Remove all</QuietButton>}
        </span>
      </div>
      {notice}
      {isNone ? null : <p className="faint fine">{keptWords(kept, restored)}</p>}
      {aside === undefined ? null : <KnownOnes aside={aside} />}
    </section>
  );
}

function KnownOnes({ aside }: { readonly aside: SetAside }) {
  return (
    <ul className={styles.list}>
      {aside.accepted.slice(0, MAX_SHOWN).map(({ one, acceptance }) => (
        <Known
          key={JSON.stringify([one.found.code, one.place, acceptance])}
          title={one.said.title}
          where={whereOf(one)}
          acceptance={acceptance}
        />
      ))}
      {withoutCause(aside)
        .slice(0, MAX_SHOWN)
        .map(([note, one]) => (
          <Known key={JSON.stringify(one)} title={one.code} where={acceptedPlace(one)} note={note} acceptance={one} />
        ))}
    </ul>
  );
}

/** Acceptances that take nothing out, and why. */
const withoutCause = ({ outgrown, unused, waiting }: SetAside): readonly (readonly [string, Acceptance])[] => [
  ...[...new Set(outgrown.values())].map((one) => ["Spread further; reported again.", one] as const),
  ...unused.map((one) => ["No longer found.", one] as const),
  ...waiting.map((one) => ["Not found yet; some checks that could find it have not run.", one] as const),
];

/** The button that was pressed goes with its line: the focus stays here, not on the page. */
function useFocusKept(lines: number) {
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(lines);
  useEffect(() => {
    const isOther = before.current !== lines;
    before.current = lines;
    if (isOther && document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, [lines]);
  return heading;
}

const acceptedPlace = ({ array, key, target }: Acceptance): string =>
  array === "" ? "/" : (array ?? key ?? target ?? "");

interface KnownProps {
  readonly title: string;
  readonly where: string;
  readonly acceptance: Acceptance;
  readonly note?: string;
}

function Known({ title, where, acceptance, note }: KnownProps) {
  const actions = useActions();
  return (
    <li data-code={acceptance.code}>
      <span className={styles.what}>
        <b className="strong">{title}</b> <span className={styles.where}>{where}</span>
      </span>
      <span className={styles.why}>
        {note === undefined ? null : <i>{note} </i>}
        {acceptance.reason}
      </span>
      <time dateTime={acceptance.date}>{acceptance.date}</time>
      <LinkButton onClick={() => actions.bringBack(acceptance)}>Remove</LinkButton>
    </li>
  );
}

/** Says what came of it. */
async function taken(files: readonly File[], accept: (all: readonly Acceptance[]) => number): Promise<ReactNode> {
  const [file] = files;
  if (file === undefined) return undefined;
  try {
    const all = parseAcceptances(await file.text());
    const added = accept(all);
    const known = all.length - added;
    const rest = known === 0 ? "" : ` ${formatCount(known)} ${known === 1 ? "was" : "were"} already accepted.`;
    return (
      <p role="status">
        {countOf(added, "acceptance")} taken from {file.name}.{rest}
      </p>
    );
  } catch (error) {
    return <ErrorNotice error={findingOfError(error, `Reading ${file.name}`)} where={file.name} />;
  }
}

/** The view Check: the verdict, five answers, and the causes, most data affected first. */
import { lazy, type ReactNode, Suspense, useState } from "react";
import type { SetSummary } from "#core/open-set.ts";
import { canUndoApplied } from "#store/apply-edits.ts";
import type { EditState } from "#store/state.ts";
import { Pending, useActions, useAppState } from "#store/react.tsx";
import { Button, QuietButton } from "#widgets/controls/Button.tsx";
import { Loading } from "#widgets/notes/Notices.tsx";
import { useDelayed } from "#widgets/hooks.ts";
import { countOf, formatCount } from "#widgets/number-format.ts";
import { Causes } from "./Causes.tsx";
import { CheckHead } from "./CheckHead.tsx";
import styles from "./CheckPanel.module.css";
import { ExpectationSection } from "./ExpectationSection.tsx";
import { Questions, READERS_ID } from "./Questions.tsx";
import { SetAsideList } from "./SetAside.tsx";
import { type Check, useCheck } from "./use-check.ts";
import { ComparedSection } from "./values/ComparedSection.tsx";
import { ValuesSection } from "./values/ValuesSection.tsx";

export function CheckPanel() {
  const set = useAppState((state) => state.set);
  return set === undefined ? null : <CheckedSet key={set.id} set={set} />;
}

function CheckedSet({ set }: { readonly set: SetSummary }) {
  const check = useCheck(set);
  if (check === undefined) return <Loading label="Checking references" />;
  return (
    <section className={styles.panel} aria-label="Check">
      <div className={styles.page}>
        <CheckHead check={check} />
        <Questions check={check} />
        <AppliedRepair />
        <WhenSettled subject={check.findings} isUnderWay={check.isGlancing}>
          <Causes check={check} />
          <ComparedSection compared={check.checked.compared ?? []} />
          <ValuesSection set={set.id} nodes={check.nodes} />
          <More check={check} />
        </WhenSettled>
      </div>
    </section>
  );
}

/** Sections that are empty unless somebody asks for them: folded until one of them has something, or is asked for. */
function More({ check }: { readonly check: Check }) {
  const [isOpen, setOpen] = useState(false);
  const hasFiles = useAppState(({ owner }) => owner.accepted.length > 0 || owner.expectation !== undefined);
  const isNeeded = hasFiles || check.isExpecting || check.compared.opened;
  // It stays open, once opened.
  if (isNeeded && !isOpen) setOpen(true);
  return (
    <details
      className={styles.more}
      open={isOpen || isNeeded}
      onToggle={(event) => setOpen(event.currentTarget.open || isNeeded)}
    >
      <summary className="quiet">
        <b className="ink subject">More</b> readers, accepted problems, expectations
      </summary>
      <Readers check={check} />
      <SetAsideList check={check} />
      <ExpectationSection check={check} />
    </details>
  );
}

/** Says that a repair was applied, what reading its chunks then gave, and how to take it back. */
function AppliedRepair() {
  const actions = useActions();
  const edit = useAppState((state) => state.edit);
  if (edit?.applied === undefined) return null;
  const { again } = edit.applied;
  const isBad = edit.error !== undefined || (again?.kind === "read" && again.result.wrong.length > 0);
  return (
    <div className={styles.notice} role="status" aria-label="Applied fix" data-bad={isBad}>
      <p>
        Applied: <b>{edit.applied.label}</b>. {outcomeWords(edit)}
      </p>
      <span className="small-buttons">
        {canUndoApplied(edit) ? <Button onClick={actions.undoApplied}>Undo</Button> : null}
        <Button onClick={() => actions.showView("edit")}>Show in Edit</Button>
        <QuietButton onClick={actions.dismissApplied}>Dismiss</QuietButton>
      </span>
    </div>
  );
}

/** Good is only what was read again in the edited set. */
function outcomeWords({ rendering, error, applied }: EditState): string {
  const again = applied?.again;
  if (error !== undefined) return "The edited document is invalid. Showing the dataset before the edit.";
  if (rendering || again === undefined || again.kind === "reading") return "Reading again…";
  if (again.kind === "not-read") return "Not read again.";
  const { read, wrong } = again.result;
  if (wrong.length > 0)
    return `Read again: ${formatCount(wrong.length)} of ${countOf(read, "chunk")} do not read as expected.`;
  if (read === 0) return "You are viewing the edited dataset.";
  return `Read again: ${read === 1 ? "the chunk decodes" : `all ${formatCount(read)} chunks decode`}. You are viewing the edited dataset.`;
}

const GLANCING = "Spot-checking chunks";
/** Milliseconds without a change after which rows are shown, and those after which they are shown all the same. */
const [QUIET, LONGEST] = [300, 2000];

interface WhenSettledProps {
  readonly subject: unknown;
  readonly isUnderWay: boolean;
  readonly children: ReactNode;
}

/** Shown once what is found unasked has come, so that rows do not move under the pointer. */
function WhenSettled({ subject, isUnderWay, children }: WhenSettledProps) {
  const [isSettled, setSettled] = useState(false);
  const settle = () => setSettled(true);
  useDelayed(subject, isSettled || isUnderWay ? undefined : QUIET, settle);
  useDelayed(GLANCING, isSettled ? undefined : LONGEST, settle);
  if (isSettled) return children;
  return (
    <Pending label={GLANCING}>
      <Loading label={GLANCING} />
    </Pending>
  );
}

const ReadersTable = lazy(async () => {
  const { ReadersTable } = await import("./ReadersTable.tsx");
  return { default: ReadersTable };
});

const LOADING = "Loading the readers";

/** The section "Readers": what other software makes of the set; compared when asked for. */
function Readers({ check }: { readonly check: Check }) {
  const { opened, show } = check.compared;
  return (
    <section aria-labelledby={READERS_ID}>
      <div className={styles.readers}>
        <h3 className="ink subject" id={READERS_ID} tabIndex={-1}>
          Readers
        </h3>
        <span>how other software reads this dataset</span>
        <Button className="aside" aria-expanded={opened} onClick={() => show(!opened)}>
          {opened ? "Hide the comparison" : "Compare readers"}
        </Button>
      </div>
      {opened ? (
        <Suspense
          fallback={
            <Pending label={LOADING}>
              <Loading label={LOADING} />
            </Pending>
          }
        >
          <ReadersTable check={check} />
        </Suspense>
      ) : null}
    </section>
  );
}

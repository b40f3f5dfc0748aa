import type { Trial } from "../../core/lab.ts";
import { ErrorNotice } from "../../widgets/ErrorNotice.tsx";
import { RepairCheckPart } from "./RepairCheckPart.tsx";
import { scopeProblem, type Repair } from "./use-repair.ts";
import styles from "./TrialPanel.module.css";

interface RepairButtonsProps {
  readonly repair: Repair;
  /** `undefined` where there is nothing to apply. */
  readonly trial: Trial | undefined;
  /** What it does, in words. */
  readonly label: string;
}

/** Makes a trial last, as an edit of the document. */
export function RepairButtons({ repair, trial, label }: RepairButtonsProps) {
  return (
    <>
      <div className={styles.repair}>
        {scopesOf(trial).map((scope) => (
          <ApplyButton key={scope} scope={scope} text={BUTTONS[scope]} {...{ repair, trial, label }} />
        ))}
      </div>
      {repair.refused === undefined ? null : <p className={styles.quiet}>{repair.refused}</p>}
    </>
  );
}

const BUTTONS = { array: "Apply to the array…", chunk: "Apply to this chunk" } as const;

/** A range is mostly wrong in one reference, codecs and byte order are the array's. */
function scopesOf(trial: Trial | undefined): readonly ("array" | "chunk")[] {
  const isRange = trial?.shift !== undefined || trial?.lengthen !== undefined;
  return isRange ? ["chunk", "array"] : ["array", "chunk"];
}

const MEANING = {
  array: "Tries it on a sample of the array's chunks, then shows what would change",
  chunk: "For the reference of this chunk alone, as an edit of the document that can be undone and exported",
} as const;

interface ApplyButtonProps extends RepairButtonsProps {
  readonly scope: "array" | "chunk";
  readonly text: string;
}

function ApplyButton({ repair, trial, label, scope, text }: ApplyButtonProps) {
  const problem = repair.refused ?? scopeProblem(trial, scope);
  return (
    <button
      type="button"
      aria-disabled={problem !== undefined || repair.applying}
      title={problem ?? MEANING[scope]}
      onClick={() => {
        if (trial !== undefined && problem === undefined) repair.apply(trial, scope, label);
      }}
    >
      {text}
    </button>
  );
}

/** What came of the last one: how it fared on other chunks, or why it could not be applied. */
export function RepairOutcome({ repair }: { readonly repair: Repair }) {
  return (
    <>
      <RepairCheckPart repair={repair} />
      {repair.error === undefined ? null : <ErrorNotice error={repair.error} />}
    </>
  );
}

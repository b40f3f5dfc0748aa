import { useEffect, useRef } from "react";
import type { CodecDescription } from "../../core/lab.ts";
import type { Reading } from "../../core/reading.ts";
import { useEngine } from "../../store/react.tsx";
import { Choice } from "../../widgets/Choice.tsx";
import { ErrorNotice } from "../../widgets/ErrorNotice.tsx";
import { InsertCodec } from "./InsertCodec.tsx";
import { RangeSteppers } from "./RangeSteppers.tsx";
import { RepairButtons } from "./RepairButtons.tsx";
import { TrialCompare } from "./TrialCompare.tsx";
import { insertedStep, stageOfStep, trialWords, type DraftByteOrder, type TrialDraft } from "./trial-draft.ts";
import { TrialSteps } from "./TrialSteps.tsx";
import type { Lab } from "./use-lab.ts";
import styles from "./TrialPanel.module.css";

export interface TrialPanelProps {
  readonly lab: Lab;
  /** The reading that is shown. */
  readonly reading: Reading;
  readonly selected: number | undefined;
  readonly onSelect: (stage: number) => void;
}

const BYTE_ORDERS: readonly { readonly value: DraftByteOrder; readonly text: string }[] = [
  { value: "declared", text: "as declared" },
  { value: "little", text: "little-endian" },
  { value: "big", text: "big-endian" },
];

const NO_REQUEST = {};
const NO_CODECS: readonly CodecDescription[] = [];

/** The trial: the chain and the range as they can be changed, and the result beside the original. */
export function TrialPanel(props: TrialPanelProps) {
  const { lab, onSelect } = props;
  const { trial, declared, codecs, detail } = lab;
  const { draft, change } = trial;
  const known = useEngine("lab.codecs", NO_REQUEST).data ?? NO_CODECS;
  const frame = useRef<HTMLFieldSetElement>(null);
  const { byCommand } = lab;
  useEffect(() => {
    // Opened by a key, it takes the focus; a dialog that closes gives the focus back first.
    const timer = setTimeout(() => {
      if (byCommand) frame.current?.focus();
    });
    return () => {
      clearTimeout(timer);
    };
  }, [byCommand]);
  const selected = trial.trial === undefined || trial.shown === "trial" ? props.selected : undefined;
  return (
    <fieldset ref={frame} className={styles.panel} aria-label="Trial" tabIndex={-1}>
      <div className={styles.part}>
        <TrialSteps
          draft={draft}
          codecs={known}
          stages={(trial.trial === undefined ? declared : trial.reading.reading)?.stages ?? []}
          stale={trial.reading.pending}
          selected={selected}
          onSelect={(stage) => {
            trial.show("trial");
            onSelect(stage);
          }}
          onDraft={change}
        />
        <InsertCodec
          codecs={known}
          onInsert={(codec) => {
            const after = draft.steps.findIndex(({ key }) => stageOfStep(draft, key) === selected);
            change(insertedStep(draft, selected === 0 ? 0 : after === -1 ? draft.steps.length : after + 1, codec));
          }}
        />
        <ByteOrderChoice draft={draft} declared={detail?.dtype} onDraft={change} />
        <RangeSteppers declared={declared} draft={draft} onDraft={change} />
      </div>
      <div className={styles.part}>
        {trial.problem === undefined ? null : <p className={styles.problem}>Not read: {trial.problem}</p>}
        {trial.trial === undefined ? (
          <p className={styles.quiet}>Nothing is changed yet. Each change is tried at once, beside the original.</p>
        ) : (
          <>
            <TrialCompare lab={lab} />
            {trial.reading.error === undefined ? null : <ErrorNotice error={trial.reading.error} />}
            <RepairButtons
              repair={lab.repair}
              trial={trial.problem === undefined ? trial.trial : undefined}
              label={trialWords(trial.trial, codecs)}
            />
          </>
        )}
      </div>
    </fieldset>
  );
}

interface ByteOrderChoiceProps {
  readonly draft: TrialDraft;
  /** The data type as declared. */
  readonly declared: string | undefined;
  readonly onDraft: (draft: TrialDraft) => void;
}

function ByteOrderChoice({ draft, declared, onDraft }: ByteOrderChoiceProps) {
  const options = BYTE_ORDERS.map(({ value, text }) => ({
    value,
    text: value === "declared" && declared !== undefined ? `${text} (${declared})` : text,
  }));
  return (
    <Choice
      label="Byte order"
      value={draft.byteOrder}
      options={options}
      className={styles.order}
      onValue={(chosen) => {
        const byteOrder = BYTE_ORDERS.find(({ value }) => value === chosen)?.value ?? "declared";
        onDraft({ ...draft, byteOrder });
      }}
    />
  );
}

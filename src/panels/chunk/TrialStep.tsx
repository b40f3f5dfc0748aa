import { useId, type KeyboardEvent } from "react";
import type { CodecField } from "../../core/lab.ts";
import type { StageReport } from "../../core/reading.ts";
import { CodecFields } from "./CodecFields.tsx";
import { configurationProblem } from "./codec-fields.ts";
import { StageBytesLook, StageNumbers } from "./StageLook.tsx";
import type { DraftStep } from "./trial-draft.ts";
import styles from "./TrialPanel.module.css";

interface TrialStepProps {
  readonly step: DraftStep;
  /** Members of its configuration that are known. */
  readonly fields: readonly CodecField[];
  readonly place: { readonly at: number; readonly count: number };
  /** Name of the radio group. */
  readonly group: string;
  /** What the step gave; absent where it is off or was not reached. */
  readonly stage: StageReport | undefined;
  readonly stale: boolean;
  readonly selected: boolean;
  readonly onSelect: () => void;
  readonly onChange: (part: Partial<Omit<DraftStep, "key">>) => void;
  readonly onMove: (by: 1 | -1) => void;
  readonly onRemove: () => void;
}

/** One codec: on or off, its place, its parameters, and what it gave. Alt with the arrows up and down moves it. */
export function TrialStep(props: TrialStepProps) {
  const { step, fields, stage, stale, onChange, onMove } = props;
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    event.preventDefault();
    event.stopPropagation(); // Else it leads to another chunk.
    onMove(event.key === "ArrowUp" ? -1 : 1);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Alt with arrows, from any control inside
    <div
      className={styles.step}
      data-step={step.id}
      data-off={step.off}
      data-failed={stage?.error !== undefined}
      data-stale={stale}
      onKeyDown={onKeyDown}
    >
      <StepHead {...props} />
      {step.off ? null : (
        <>
          <div className={styles.parameters}>
            <CodecFields
              id={step.id}
              fields={fields}
              configuration={step.configuration}
              onConfiguration={(configuration) => onChange({ configuration })}
            />
            <ConfigurationText {...props} />
          </div>
          {stage === undefined ? null : <StageBytesLook stage={stage} />}
        </>
      )}
    </div>
  );
}

function StepHead({ step, place, group, stage, selected, onSelect, onChange, onMove, onRemove }: TrialStepProps) {
  const { id, off } = step;
  return (
    <div className={styles.head}>
      <input
        type="radio"
        name={group}
        aria-label={`Bytes after ${id}`}
        title={`Show the bytes after ${id}`}
        disabled={stage?.bytesOut === undefined}
        checked={selected}
        onChange={onSelect}
      />
      <label className={styles.on} title={off ? "Switched off: the bytes pass as they are" : "Switch off"}>
        <input type="checkbox" checked={!off} onChange={() => onChange({ off: !off })} />
        <b>
          {stage?.error === undefined ? "" : "✕ "}
          {id}
        </b>
        {off ? <small>off</small> : null}
      </label>
      {stage === undefined ? null : <StageNumbers stage={stage} first={false} />}
      <span className={styles.moves}>
        <MoveButton {...{ id, by: -1, disabled: place.at === 0, onMove }} />
        <MoveButton {...{ id, by: 1, disabled: place.at === place.count - 1, onMove }} />
        <button type="button" data-kind="quiet" aria-label={`Remove ${id}`} title={`Remove ${id}`} onClick={onRemove}>
          ✕
        </button>
      </span>
    </div>
  );
}

interface MoveButtonProps {
  readonly id: string;
  readonly by: 1 | -1;
  readonly disabled: boolean;
  readonly onMove: (by: 1 | -1) => void;
}

function MoveButton({ id, by, disabled, onMove }: MoveButtonProps) {
  const name = `Decode ${id} ${by === -1 ? "earlier" : "later"}`;
  return (
    <button
      type="button"
      data-kind="quiet"
      aria-label={name}
      title={`${name} (Alt+${by === -1 ? "↑" : "↓"})`}
      // Not `disabled`: focus stays where it is at the ends.
      aria-disabled={disabled}
      onClick={() => {
        if (!disabled) onMove(by);
      }}
    >
      {by === -1 ? "↑" : "↓"}
    </button>
  );
}

function ConfigurationText({ step, onChange }: TrialStepProps) {
  const id = useId();
  const problem = configurationProblem(step.configuration);
  return (
    <div className={styles.text}>
      <input
        type="text"
        aria-label={`Configuration of ${step.id}`}
        aria-invalid={problem !== undefined}
        aria-describedby={id}
        placeholder="{}"
        value={step.configuration}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => onChange({ configuration: target.value })}
      />
      <p id={id} className={styles.problem}>
        {problem}
      </p>
    </div>
  );
}

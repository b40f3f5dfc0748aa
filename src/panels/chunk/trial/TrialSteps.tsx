import { type KeyboardEvent, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { CodecDescription, CodecField } from "#core/check/lab.ts";
import type { StageReport } from "#core/reading.ts";
import { StageBytesLook, StageNumbers } from "../StageLook.tsx";
import styles from "./TrialPanel.module.css";
import type { Lab } from "../use-lab.ts";
import {
  codecFields,
  configurationProblem,
  type DraftStep,
  memberText,
  movedStep,
  stageOfStep,
  withMember,
  withoutStep,
  withStep,
} from "./trial-draft.ts";
import { QuietButton, TextField } from "#widgets/controls/Button.tsx";

interface TrialStepsProps {
  readonly lab: Lab;
  /** All that are known; none until they are. */
  readonly codecs: readonly CodecDescription[];
  readonly selected: number | undefined;
  readonly onSelect: (stage: number) => void;
}

/** The steps in the order of decoding, the stored bytes first. What has the focus keeps it when steps move. */
export function TrialSteps({ lab, codecs, selected, onSelect }: TrialStepsProps) {
  const { trial, declared } = lab;
  const { draft, change } = trial;
  // From the last reading; perhaps of another draft while it is stale.
  const stages = (trial.trial === undefined ? declared : trial.reading.reading)?.stages ?? [];
  const stale = trial.reading.pending;
  const name = useId();
  const list = useRef<HTMLDivElement>(null);
  const move = (key: number, by: 1 | -1) => {
    const focused = document.activeElement;
    flushSync(() => change(movedStep(draft, key, by)));
    if (focused instanceof HTMLElement) focused.focus();
  };
  const remove = (key: number, at: number) => {
    flushSync(() => change(withoutStep(draft, key)));
    const left = list.current?.querySelectorAll<HTMLElement>("[data-step] input[type=checkbox]");
    (left?.item(Math.min(at, left.length - 1)) ?? list.current)?.focus();
  };
  return (
    <div ref={list} className={styles.steps} role="radiogroup" aria-label="Bytes after stage" tabIndex={-1}>
      <StoredBytes
        {...{ stage: stages[0], group: name, stale, selected: selected === 0 }}
        onSelect={() => onSelect(0)}
      />
      {draft.steps.map((step, at) => {
        const index = stageOfStep(draft, step.key);
        const stage = stages[index ?? -1];
        return (
          <TrialStep
            key={step.key}
            step={step}
            fields={codecFields(codecs, step.id)}
            place={{ at, count: draft.steps.length }}
            group={name}
            stage={stage?.id === step.id ? stage : undefined}
            stale={stale}
            selected={index !== undefined && index === selected}
            onSelect={() => {
              if (index !== undefined) onSelect(index);
            }}
            onChange={(part) => change(withStep(draft, step.key, part))}
            onMove={(by) => move(step.key, by)}
            onRemove={() => remove(step.key, at)}
          />
        );
      })}
    </div>
  );
}

type StoredBytesProps = Pick<TrialStepProps, "stage" | "group" | "stale" | "selected" | "onSelect">;

function StoredBytes({ stage, group, stale, selected, onSelect }: StoredBytesProps) {
  return (
    <div className={styles.step} data-stale={stale}>
      <div className={styles.head}>
        <input
          type="radio"
          name={group}
          aria-label="Bytes as stored"
          title="Show the bytes as stored"
          disabled={stage?.bytesOut === undefined}
          checked={selected}
          onChange={onSelect}
        />
        <b>stored bytes</b>
        {stage === undefined ? null : <StageNumbers stage={stage} first />}
      </div>
      {stage === undefined ? null : <StageBytesLook stage={stage} />}
    </div>
  );
}

interface TrialStepProps {
  readonly step: DraftStep;
  /** Members of its configuration that are known. */
  readonly fields: readonly CodecField[];
  readonly place: { readonly at: number; readonly count: number };
  /** Name of the radio group. */
  readonly group: string;
  /** Output of the step; absent if it is off or was not reached. */
  readonly stage: StageReport | undefined;
  readonly stale: boolean;
  readonly selected: boolean;
  readonly onSelect: () => void;
  readonly onChange: (part: Partial<Omit<DraftStep, "key">>) => void;
  readonly onMove: (by: 1 | -1) => void;
  readonly onRemove: () => void;
}

/** One codec: on or off, its place, its parameters, and what it gave. Alt with the arrows up and down moves it. */
function TrialStep(props: TrialStepProps) {
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
            {/* What decoding depends on, where the codec is known: members of the text below. */}
            {fields.map((field) => (
              <Field key={field.name} {...{ step, field, onChange }} />
            ))}
            <ConfigurationText {...props} />
          </div>
          {stage === undefined ? null : <StageBytesLook stage={stage} />}
        </>
      )}
    </div>
  );
}

function StepHead(props: TrialStepProps) {
  const { step, group, stage, selected, onSelect, onChange, onRemove } = props;
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
      <label
        className={`inline-row gap-6 narrow ${styles.on}`}
        title={off ? "Off: the bytes pass unchanged" : "Switch off"}
      >
        <input type="checkbox" checked={!off} onChange={() => onChange({ off: !off })} />
        <b>
          {stage?.error === undefined ? "" : "✕ "}
          {id}
        </b>
        {off ? <small className="faint fine">off</small> : null}
      </label>
      {stage === undefined ? null : <StageNumbers stage={stage} first={false} />}
      <span className={styles.moves}>
        <MoveButton {...props} by={-1} />
        <MoveButton {...props} by={1} />
        <QuietButton aria-label={`Remove ${id}`} title={`Remove ${id}`} onClick={onRemove}>
          ✕
        </QuietButton>
      </span>
    </div>
  );
}

function MoveButton({ step, place, by, onMove }: TrialStepProps & { readonly by: 1 | -1 }) {
  const name = `Decode ${step.id} ${by === -1 ? "earlier" : "later"}`;
  const isAtEnd = place.at === (by === -1 ? 0 : place.count - 1);
  return (
    <QuietButton
      aria-label={name}
      title={`${name} (Alt+${by === -1 ? "↑" : "↓"})`}
      // Not `disabled`: focus stays where it is at the ends.
      aria-disabled={isAtEnd}
      onClick={() => {
        if (!isAtEnd) onMove(by);
      }}
    >
      {by === -1 ? "↑" : "↓"}
    </QuietButton>
  );
}

function ConfigurationText({ step, onChange }: TrialStepProps) {
  const id = useId();
  const problem = configurationProblem(step.configuration);
  return (
    <div className={styles.text}>
      <TextField
        aria-label={`Configuration of ${step.id}`}
        aria-invalid={problem !== undefined}
        aria-describedby={id}
        placeholder="{}"
        value={step.configuration}
        onChange={({ target }) => onChange({ configuration: target.value })}
      />
      <p id={id} className="if-any bad fine">
        {problem}
      </p>
    </div>
  );
}

interface FieldProps extends Pick<TrialStepProps, "step" | "onChange"> {
  readonly field: CodecField;
}

function Field({ step, field, onChange }: FieldProps) {
  const { configuration } = step;
  const id = useId();
  const [typed, setTyped] = useState<string>();
  const value = memberText(configuration, field.name);
  const wrong = typed !== undefined && withMember(configuration, field, typed) === undefined;
  const set = (text: string) => {
    setTyped(text);
    const next = withMember(configuration, field, text);
    if (next !== undefined) onChange({ configuration: next });
  };
  const common = { id, "aria-label": `${field.name} of ${step.id}` };
  return (
    <span className={styles.field}>
      <label htmlFor={id}>{field.name}</label>
      {field.only === true ? (
        <select {...common} value={value} onChange={({ target }) => set(target.value)}>
          {[...new Set(["", ...field.often, value])].map((option) => (
            <option key={option} value={option}>
              {option === "" ? "not set" : option}
            </option>
          ))}
        </select>
      ) : (
        <TextField
          {...common}
          list={`${id}-often`}
          size={Math.max(4, Math.min(12, value.length + 2))}
          aria-invalid={wrong}
          title={wrong ? "Enter a number here, or JSON in the field below" : undefined}
          value={typed ?? value}
          onChange={({ target }) => set(target.value)}
          onBlur={() => setTyped(undefined)}
        />
      )}
      <datalist id={`${id}-often`}>
        {field.often.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </datalist>
    </span>
  );
}

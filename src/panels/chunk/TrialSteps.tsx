import { useId, useRef } from "react";
import { flushSync } from "react-dom";
import type { CodecDescription } from "../../core/lab.ts";
import type { StageReport } from "../../core/reading.ts";
import { codecFields } from "./codec-fields.ts";
import { StageBytesLook, StageNumbers } from "./StageLook.tsx";
import { movedStep, stageOfStep, withoutStep, withStep, type TrialDraft } from "./trial-draft.ts";
import { TrialStep } from "./TrialStep.tsx";
import styles from "./TrialPanel.module.css";

interface TrialStepsProps {
  readonly draft: TrialDraft;
  /** All that are known; none until they are. */
  readonly codecs: readonly CodecDescription[];
  /** From the last reading; perhaps of another draft while `stale`. */
  readonly stages: readonly StageReport[];
  readonly stale: boolean;
  readonly selected: number | undefined;
  readonly onSelect: (stage: number) => void;
  readonly onDraft: (draft: TrialDraft) => void;
}

/** The steps in the order of decoding, the stored bytes first. What has the focus keeps it when steps move. */
export function TrialSteps({ draft, codecs, stages, stale, selected, onSelect, onDraft }: TrialStepsProps) {
  const name = useId();
  const list = useRef<HTMLDivElement>(null);
  const move = (key: number, by: 1 | -1) => {
    const focused = document.activeElement;
    flushSync(() => onDraft(movedStep(draft, key, by)));
    if (focused instanceof HTMLElement) focused.focus();
  };
  const remove = (key: number, at: number) => {
    flushSync(() => onDraft(withoutStep(draft, key)));
    const left = list.current?.querySelectorAll<HTMLElement>("[data-step] input[type=checkbox]");
    (left?.item(Math.min(at, left.length - 1)) ?? list.current)?.focus();
  };
  return (
    <div ref={list} className={styles.steps} role="radiogroup" aria-label="Bytes after stage" tabIndex={-1}>
      <StoredBytes {...{ stage: stages[0], group: name, stale, selected: selected === 0, onSelect }} />
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
            onChange={(part) => onDraft(withStep(draft, step.key, part))}
            onMove={(by) => move(step.key, by)}
            onRemove={() => remove(step.key, at)}
          />
        );
      })}
    </div>
  );
}

interface StoredBytesProps {
  readonly stage: StageReport | undefined;
  readonly group: string;
  readonly stale: boolean;
  readonly selected: boolean;
  readonly onSelect: (stage: number) => void;
}

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
          onChange={() => onSelect(0)}
        />
        <b>stored bytes</b>
        {stage === undefined ? null : <StageNumbers stage={stage} first />}
      </div>
      {stage === undefined ? null : <StageBytesLook stage={stage} />}
    </div>
  );
}

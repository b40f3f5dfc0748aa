import type { KeyboardEvent } from "react";
import { codecDetail } from "../../widgets/codec-words.ts";
import { movedIndex } from "../../widgets/roving.ts";
import { StageBytesLook, StageNumbers } from "./StageLook.tsx";
import type { StageLine } from "./stage-words.ts";
import styles from "./DecodeTab.module.css";

interface StageListProps {
  readonly lines: readonly StageLine[];
  /** Stage whose bytes are shown as hex; `undefined` where none has bytes. */
  readonly selected: number | undefined;
  readonly onSelect: (stage: number) => void;
}

/** Every step from the stored bytes to the values, one below the other. Choosing one shows the bytes after it. */
export function StageList({ lines, selected, onSelect }: StageListProps) {
  const choosable = lines.flatMap(({ stage }, index) => (stage?.bytesOut === undefined ? [] : [index]));
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.altKey) return;
    const to = choosable[movedIndex(event.key, choosable.indexOf(selected ?? -1), choosable.length, "both") ?? -1];
    if (to === undefined) return;
    event.preventDefault();
    onSelect(to);
    event.currentTarget.querySelectorAll<HTMLElement>("[role=radio]").item(to).focus();
  };
  return (
    <div className={styles.stages} role="radiogroup" aria-label="Bytes after stage" tabIndex={-1} onKeyDown={onKeyDown}>
      {lines.map((line, index) => (
        <Stage
          // Stages are never reordered, and a codec may occur twice.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          line={line}
          first={index === 0}
          selected={index === selected}
          onSelect={() => onSelect(index)}
        />
      ))}
    </div>
  );
}

interface StageProps {
  readonly line: StageLine;
  readonly first: boolean;
  readonly selected: boolean;
  readonly onSelect: () => void;
}

function Stage({ line, first, selected, onSelect }: StageProps) {
  const { id, label, stage } = line;
  const outcome = stage?.error !== undefined ? "failed" : stage?.bytesOut === undefined ? "not reached" : "done";
  const detail = first ? "" : codecDetail(id, label);
  return (
    <button
      type="button"
      role="radio"
      aria-checked={selected}
      tabIndex={selected ? 0 : -1}
      disabled={stage?.bytesOut === undefined}
      className={styles.stage}
      data-outcome={outcome}
      title={stage?.bytesOut === undefined ? `${label}: ${outcome}` : `${label}: show the bytes after it`}
      onClick={onSelect}
    >
      <span className={styles.name}>
        <b>
          {outcome === "failed" ? "✕ " : ""}
          {first ? label : id}
        </b>
        {detail === "" ? null : <small>{detail}</small>}
      </span>
      {stage === undefined ? (
        <small className={styles.unreached}>not reached</small>
      ) : (
        <StageNumbers {...{ stage, first }} />
      )}
      {stage === undefined ? null : <StageBytesLook stage={stage} />}
    </button>
  );
}

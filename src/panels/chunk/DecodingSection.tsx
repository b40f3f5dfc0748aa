import type { KeyboardEvent } from "react";
import type { ErrorFields } from "../../core/errors.ts";
import type { Reading, StageReport } from "../../core/reading.ts";
import { CopyButton } from "../../widgets/CopyButton.tsx";
import { ErrorNotice } from "../../widgets/ErrorNotice.tsx";
import { codecDetail } from "../../widgets/codec-words.ts";
import { formatBytes, formatDuration, formatExactBytes } from "../../widgets/number-format.ts";
import { movedIndex } from "../../widgets/roving.ts";
import { ratioText } from "./stage-words.ts";
import styles from "./DecodingSection.module.css";
import shared from "./ChunkPanel.module.css";

interface DecodingSectionProps {
  readonly reading: Reading;
  /** Stage whose bytes are shown as hex; `undefined` where none has bytes. */
  readonly selected: number | undefined;
  readonly onSelect: (stage: number) => void;
  readonly onRetry: () => void;
}

/** Every step from the stored bytes to the values. Choosing one shows the bytes after it. */
export function DecodingSection({ reading, selected, onSelect, onRetry }: DecodingSectionProps) {
  const { stages } = reading;
  const choosable = stages.flatMap((stage, index) => (stage.bytesOut === undefined ? [] : [index]));
  const failed = stages.find((stage) => stage.error !== undefined);
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.altKey) return;
    const to = choosable[movedIndex(event.key, choosable.indexOf(selected ?? -1), choosable.length, "both") ?? -1];
    if (to === undefined) return;
    event.preventDefault();
    onSelect(to);
    event.currentTarget.querySelectorAll<HTMLElement>("[role=radio]").item(to).focus();
  };
  return (
    <section className={shared.section} aria-label="Decoding">
      <h3>Decoding</h3>
      <div
        className={styles.stages}
        role="radiogroup"
        aria-label="Bytes after stage"
        tabIndex={-1}
        onKeyDown={onKeyDown}
      >
        {stages.map((stage, index) => (
          <Stage
            // Stages are never reordered, and a codec may occur twice.
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            stage={stage}
            first={index === 0}
            selected={index === selected}
            onSelect={() => {
              onSelect(index);
            }}
          />
        ))}
      </div>
      <Configuration stage={stages[selected ?? -1]} />
      {failed?.error === undefined ? null : <Failure error={failed.error} onRetry={onRetry} />}
    </section>
  );
}

/** Trying again is offered where it may help: a codec that Refscope lacks stays away. */
function Failure({ error, onRetry }: { readonly error: ErrorFields; readonly onRetry: () => void }) {
  return <ErrorNotice error={error} {...(error.code === "codec-unknown" ? {} : { onRetry })} />;
}

function Detail({ stage }: { readonly stage: StageReport }) {
  const detail = codecDetail(stage.id, stage.label);
  return detail === "" ? null : <small>{detail}</small>;
}

interface StageProps {
  readonly stage: StageReport;
  readonly first: boolean;
  readonly selected: boolean;
  readonly onSelect: () => void;
}

function Stage({ stage, first, selected, onSelect }: StageProps) {
  const { bytesOut, error, milliseconds } = stage;
  const outcome = error !== undefined ? "failed" : bytesOut === undefined ? "not reached" : "done";
  return (
    <button
      type="button"
      role="radio"
      aria-checked={selected}
      tabIndex={selected ? 0 : -1}
      disabled={bytesOut === undefined}
      className={styles.stage}
      data-first={first}
      data-outcome={outcome}
      title={`${stage.label}: ${outcome === "done" ? "show the bytes after it" : outcome}`}
      onClick={onSelect}
    >
      <b>
        {outcome === "failed" ? "✕ " : ""}
        {first ? stage.label : stage.id}
      </b>
      {first ? null : <Detail stage={stage} />}
      {bytesOut === undefined ? (
        <small>{outcome === "failed" ? `stopped on ${formatBytes(stage.bytesIn)}` : "not reached"}</small>
      ) : (
        <small title={formatExactBytes(bytesOut)}>
          {formatBytes(bytesOut)}
          {first ? "" : ratioText(stage.bytesIn, bytesOut)}
        </small>
      )}
      {milliseconds === undefined || first ? null : <small>{formatDuration(milliseconds)}</small>}
    </button>
  );
}

function Configuration({ stage }: { readonly stage: StageReport | undefined }) {
  if (stage === undefined || stage.configuration === "") return null;
  return (
    <div className={styles.configuration}>
      <code title={stage.configuration}>{stage.configuration}</code>
      <CopyButton text={stage.configuration} what="codec configuration" />
    </div>
  );
}

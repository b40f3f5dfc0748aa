import { useCallback, useMemo, useState } from "react";
import type { Reading } from "../../core/reading.ts";
import { useApp, useEngine } from "../../store/react.tsx";
import { ErrorNotice } from "../../widgets/ErrorNotice.tsx";
import { HexView } from "../../widgets/HexView.tsx";
import { formatCount } from "../../widgets/number-format.ts";
import { Segmented } from "../../widgets/Segmented.tsx";
import { rangeOf } from "./curl-command.ts";
import { signatureMark } from "./stage-words.ts";
import styles from "./ChunkPanel.module.css";

interface HexTabProps {
  readonly set: number;
  readonly reading: Reading;
  /** `undefined` where none has bytes. */
  readonly stage: number | undefined;
  readonly onStage: (stage: number) => void;
}

const BEGINNING = { from: 0, to: 4096 };

/** The bytes as stored and after each stage. */
export function HexTab({ set, reading, stage, onStage }: HexTabProps) {
  if (stage === undefined) return <p className={styles.quiet}>No bytes of this chunk were read.</p>;
  const options = reading.stages.flatMap(({ id, label, bytesOut }, at) =>
    bytesOut === undefined ? [] : [{ value: String(at), text: at === 0 ? "stored" : id, title: label }],
  );
  return (
    <section className={styles.section} aria-label="Bytes">
      {options.length < 2 ? null : (
        <Segmented
          label="Bytes after stage"
          value={String(stage)}
          options={options}
          onValue={(chosen) => onStage(Number(chosen))}
        />
      )}
      <StageBytes {...{ set, reading, stage }} />
    </section>
  );
}

type StageBytesProps = Pick<HexTabProps, "set" | "reading"> & { readonly stage: number };

/** The bytes after a stage, asked for by window. */
function StageBytes({ set, reading, stage }: StageBytesProps) {
  const { engine } = useApp();
  const [window, setWindow] = useState(BEGINNING);
  const total = reading.stages[stage]?.bytesOut ?? 0;
  const request = {
    set,
    reading: reading.id,
    stage,
    from: Math.min(window.from, total),
    to: Math.min(window.to, total),
  };
  const answer = useEngine("chunk.stageBytes", total === 0 ? undefined : request, `stageBytes ${reading.id} ${stage}`);
  const onWindow = useCallback((from: number, to: number) => {
    setWindow({ from, to });
  }, []);
  const readBytes = async (from: number, to: number) => {
    const { bytes } = await engine.call("chunk.stageBytes", { set, reading: reading.id, stage, from, to });
    return bytes;
  };
  const { last } = answer;
  const known = useMemo(() => last && { from: last.request.from, bytes: last.data.bytes }, [last]);
  const label = bytesLabel(reading, stage);
  const file = stage === 0 ? rangeOf(reading) : undefined;
  const shift = reading.trial?.shift ?? 0;
  return (
    <>
      <p className={styles.quiet}>{label}</p>
      {answer.error === undefined ? null : <ErrorNotice error={answer.error} onRetry={answer.retry} />}
      {total === 0 ? (
        <p className={styles.quiet}>There are no bytes.</p>
      ) : (
        <HexView
          key={`${reading.id} ${stage}`}
          label={label}
          total={total}
          window={known}
          mark={signatureMark(reading.stages[stage] ?? {})}
          onWindow={onWindow}
          readBytes={readBytes}
          {...(file === undefined
            ? {}
            : { describe: (offset: number) => `at ${formatCount(file.offset + shift + offset)} in the file` })}
        />
      )}
    </>
  );
}

function bytesLabel({ stages }: Reading, stage: number): string {
  const label = stages[stage]?.label ?? "";
  return stage === 0 ? "Bytes as stored" : `Bytes after ${label}`;
}

import type { StageReport } from "#core/reading.ts";
import { EntropyBar } from "#widgets/values/EntropyBar.tsx";
import { formatBytes, formatDuration, formatExactBytes } from "#widgets/number-format.ts";
import { countedWords, headTexts, ratioText, signatureLines } from "./stage-words.ts";
import styles from "./StageLook.module.css";

/** Bytes in, bytes out, ratio and time of a stage. */
export function StageNumbers({ stage, first }: { readonly stage: StageReport; readonly first: boolean }) {
  const { bytesIn, bytesOut, milliseconds } = stage;
  if (bytesOut === undefined) return <span className={styles.numbers}>stopped on {formatBytes(bytesIn)}</span>;
  const title = first
    ? formatExactBytes(bytesOut)
    : `${formatExactBytes(bytesIn)} in, ${formatExactBytes(bytesOut)} out`;
  return (
    <span className={styles.numbers} title={title}>
      {first ? formatBytes(bytesOut) : `${formatBytes(bytesIn)} → ${formatBytes(bytesOut)}`}
      {first ? "" : ratioText(bytesIn, bytesOut)}
      {milliseconds === undefined || first ? null : (
        <span className="one-line faint"> · {formatDuration(milliseconds)}</span>
      )}
    </span>
  );
}

/** Looks of the bytes after a stage: the first of them, their entropy, the signature they begin with. */
export function StageBytesLook({ stage }: { readonly stage: StageReport }) {
  const { head, look, bytesOut } = stage;
  if (bytesOut === undefined || bytesOut === 0) return null;
  const { hex, ascii } = headTexts(head ?? new Uint8Array(0));
  return (
    <span className={styles.look}>
      <code className={styles.hex} title="The first bytes">
        {hex} <span className="faint">{ascii}</span>
      </code>
      {look === undefined ? null : <EntropyBar entropy={look.entropy} of={countedWords(look, bytesOut)} />}
      {look?.signature === undefined ? null : (
        <span className={styles.signature} title={signatureLines(look.signature)}>
          {look.signature.label}
        </span>
      )}
    </span>
  );
}

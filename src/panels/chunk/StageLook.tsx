import type { StageReport } from "#core/reading.ts";
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

export interface EntropyBarProps {
  /** Bits a byte, 0 to 8. */
  readonly entropy: number;
  /** Subject of the entropy, for the title: "all 6,851 bytes". */
  readonly of: string;
}

/** Shannon entropy of bytes: the number, and a bar from 0 to 8 bits. */
function EntropyBar({ entropy, of }: EntropyBarProps) {
  return (
    <span
      className={styles.entropy}
      title={`${entropyText(entropy)} bits per byte, over ${of}: ${entropyWords(entropy)}`}
    >
      <span className={styles.bar} aria-hidden="true">
        <span style={{ width: `${Math.max(0, Math.min(1, entropy / 8)) * 100}%` }} />
      </span>
      <span className="one-line quiet figures">
        {entropyText(entropy)}
        <span className="faint"> bits per byte</span>
      </span>
    </span>
  );
}

// Meaning of a Shannon entropy, in bits a byte (0 to 8).

/** Two digits; 8.00 and 0.00 only of exactly that. */
export function entropyText(entropy: number): string {
  const text = entropy.toFixed(2);
  if (text === "8.00" && entropy < 8) return "7.99";
  return text === "0.00" && entropy > 0 ? "0.01" : text;
}

export function entropyWords(entropy: number): string {
  if (entropy === 0) return "the same byte again and again.";
  if (entropy < 3) return "much repeats, as in a mask or in fill values.";
  if (entropy < 6.5) return "ordered bytes, such as plain numbers or text.";
  if (entropy < 7.5) return "little repeats, as in noisy numbers or weakly compressed bytes.";
  return "nearly noise: compressed or encrypted bytes look like this.";
}

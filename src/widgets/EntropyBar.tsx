import { entropyText, entropyWords } from "./entropy-words.ts";
import styles from "./EntropyBar.module.css";

export interface EntropyBarProps {
  /** Bits a byte, 0 to 8. */
  readonly entropy: number;
  /** What the entropy is of, for the title: "all 6,851 bytes". */
  readonly of: string;
}

/** Shannon entropy of bytes: the number, and a bar from 0 to 8 bits. */
export function EntropyBar({ entropy, of }: EntropyBarProps) {
  return (
    <span
      className={styles.entropy}
      title={`${entropyText(entropy)} bits per byte, over ${of}: ${entropyWords(entropy)}`}
    >
      <span className={styles.bar} aria-hidden="true">
        <span style={{ width: `${Math.max(0, Math.min(1, entropy / 8)) * 100}%` }} />
      </span>
      <span className={styles.number}>
        {entropyText(entropy)}
        <span className={styles.unit}> bit</span>
      </span>
    </span>
  );
}

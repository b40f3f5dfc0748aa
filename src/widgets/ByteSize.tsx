import { formatBytes, formatExactBytes } from "./number-format.ts";
import styles from "./ByteSize.module.css";

/** A size for people, with the exact count in the title. */
export function ByteSize({ bytes }: { readonly bytes: number }) {
  return (
    <span className={styles.size} title={formatExactBytes(bytes)}>
      {formatBytes(bytes)}
    </span>
  );
}

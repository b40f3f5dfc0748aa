import type { Severity } from "#core/findings/catalogue/entry.ts";
import styles from "./SeverityMark.module.css";

const SIGN: Readonly<Record<Severity, string>> = { error: "✕", warning: "!", info: "i" };

/** The sign of a finding's severity. */
export function SeverityMark({ severity }: { readonly severity: Severity }) {
  return (
    <span className={styles.severity} data-severity={severity} role="img" aria-label={severity} title={severity}>
      {SIGN[severity]}
    </span>
  );
}

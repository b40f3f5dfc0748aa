import type { Finding } from "../../core/finding.ts";
import { SeverityMark } from "../../widgets/SeverityMark.tsx";
import styles from "./FindingsSection.module.css";
import shared from "./ChunkPanel.module.css";

/** What was noticed while reading. */
export function FindingsSection({ findings }: { readonly findings: readonly Finding[] }) {
  if (findings.length === 0) return null;
  return (
    <section className={shared.section} aria-label="Findings">
      <h3>Findings</h3>
      <ul className={styles.list}>
        {findings.map((finding, index) => (
          // Two findings may have the same code.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index} data-code={finding.code} data-severity={finding.severity}>
            <SeverityMark severity={finding.severity} />
            <div>
              <code>{finding.code}</code>
              <p>{finding.message}</p>
              {finding.advice === undefined ? null : <p className={styles.advice}>{finding.advice}</p>}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

import type { Finding } from "../../core/findings/finding.ts";
import { useExplain } from "../../widgets/use-explain.ts";
import { SeverityMark } from "../../widgets/SeverityMark.tsx";
import styles from "./FindingsSection.module.css";
import shared from "./ChunkPanel.module.css";

/** What was noticed while reading. */
export function FindingsSection({ findings }: { readonly findings: readonly Finding[] }) {
  const explain = useExplain();
  if (findings.length === 0 || explain === undefined) return null;
  const all = findings.map((finding) => ({ code: finding.code, ...explain(finding) }));
  return (
    <section className={shared.section} aria-label="Findings">
      <h3>Findings</h3>
      <ul className={styles.list}>
        {all.map(({ code, severity, message, remedy }, index) => (
          // Two findings may have the same code.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index} data-code={code} data-severity={severity}>
            <SeverityMark severity={severity} />
            <div>
              <code>{code}</code>
              <p>{message}</p>
              {remedy === undefined ? null : <p className={styles.advice}>{remedy}</p>}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

import type { Severity } from "../../core/findings/catalogue/entry.ts";
import { SEVERITIES } from "../../core/findings/explained.ts";
import { formatCount } from "../../widgets/number-format.ts";
import { countsBySeverity, type ListedFinding } from "./findings.ts";
import styles from "./ProblemsPanel.module.css";

interface SeverityFilterProps {
  readonly findings: readonly ListedFinding[];
  readonly shown: Severity | undefined;
  readonly onShow: (severity: Severity | undefined) => void;
}

const PLURAL: Readonly<Record<Severity, readonly [string, string]>> = {
  error: ["error", "errors"],
  warning: ["warning", "warnings"],
  info: ["note", "notes"],
};

export function SeverityFilter({ findings, shown, onShow }: SeverityFilterProps) {
  const counts = countsBySeverity(findings);
  return (
    <div className={styles.filter} role="group" aria-label="Show only">
      {SEVERITIES.map((severity) => {
        const count = counts.get(severity) ?? 0;
        return (
          <button
            key={severity}
            type="button"
            className={styles.chip}
            data-severity={severity}
            aria-pressed={shown === severity}
            disabled={count === 0 && shown !== severity}
            onClick={() => {
              onShow(shown === severity ? undefined : severity);
            }}
          >
            {formatCount(count)} {PLURAL[severity][count === 1 ? 0 : 1]}
          </button>
        );
      })}
    </div>
  );
}

import { useId } from "react";
import type { RangeText } from "./filter-draft.ts";
import styles from "./FilterBar.module.css";

interface RangeFieldsProps {
  readonly label: string;
  /** What may be typed. */
  readonly hint: string;
  readonly range: RangeText;
  readonly problem: string | undefined;
  readonly onChange: (range: RangeText) => void;
}

/** Two fields, "from" and "to", both ends included; blank is open. */
export function RangeFields({ label, hint, range, problem, onChange }: RangeFieldsProps) {
  const id = useId();
  return (
    <fieldset className={styles.range}>
      <legend className={styles.rangeName} title={hint}>
        {label}
      </legend>
      {(["from", "to"] as const).map((end) => (
        <input
          key={end}
          aria-label={`${label} ${end}`}
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : id}
          placeholder={end}
          title={`${hint}, included`}
          value={range[end]}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onChange({ ...range, [end]: event.target.value })}
        />
      ))}
      {problem === undefined ? null : (
        <span id={id} className={styles.problem} role="alert">
          {problem} Not applied.
        </span>
      )}
    </fieldset>
  );
}

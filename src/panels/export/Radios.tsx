/** One of a few, each with what it means. */
import type { ReactNode } from "react";
import styles from "./ExportDialog.module.css";

export type Choice<T extends string> = readonly [id: T, label: string, detail: string];

interface RadiosProps<T extends string> {
  readonly legend: string;
  readonly choices: readonly Choice<T>[];
  readonly chosen: T;
  readonly onChoose: (id: T) => void;
  readonly inline?: boolean;
}

export function Radios<T extends string>({
  legend,
  choices,
  chosen,
  onChoose,
  inline = false,
}: RadiosProps<T>): ReactNode {
  return (
    <fieldset className={styles.choices} data-inline={inline}>
      <legend>{legend}</legend>
      {choices.map(([id, label, detail]) => (
        <label key={id} className={styles.choice}>
          <input type="radio" name={legend} checked={chosen === id} onChange={() => onChoose(id)} />
          <span>
            {label} <span className={styles.detail}>{detail}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

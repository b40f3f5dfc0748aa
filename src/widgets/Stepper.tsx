import { useId, useState, type KeyboardEvent } from "react";
import { steppedBy, wholeNumber } from "./stepper.ts";
import styles from "./Stepper.module.css";

export interface StepperProps {
  readonly label: string;
  readonly value: number;
  readonly onValue: (value: number) => void;
  /** Sizes of the buttons' steps, the smaller first. */
  readonly steps: readonly number[];
  /** Least value. */
  readonly least: number;
  /** Beside the number: "+12". */
  readonly note?: string;
}

/** A whole number: typed, or moved by buttons and by the arrow keys (Shift: the larger step, Page keys: 16 times it). */
export function Stepper({ label, value, onValue, steps, least, note }: StepperProps) {
  const id = useId();
  const [typed, setTyped] = useState<string>();
  const wrong = typed !== undefined && wholeNumber(typed, least) === undefined;
  const set = (next: number) => {
    setTyped(undefined);
    onValue(Math.max(least, next));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.altKey ? undefined : steppedBy(event.key, event.shiftKey, steps);
    if (by === undefined) return;
    event.preventDefault();
    set(value + by);
  };
  const button = (by: number) => (
    <button
      key={by}
      type="button"
      data-kind="quiet"
      aria-label={`${label} ${by < 0 ? "−" : "+"}${Math.abs(by)}`}
      onClick={() => set(value + by)}
    >
      {by < 0 ? "−" : "+"}
      {Math.abs(by)}
    </button>
  );
  return (
    <div className={styles.stepper}>
      <label htmlFor={id}>{label}</label>
      <span className={styles.buttons}>
        {steps.toReversed().map((step) => button(-step))}
        <input
          id={id}
          type="text"
          inputMode="numeric"
          autoComplete="off"
          value={typed ?? String(value)}
          aria-invalid={wrong}
          title={wrong ? `A whole number, ${least} or more` : undefined}
          onKeyDown={onKeyDown}
          onChange={({ target }) => {
            setTyped(target.value);
            const next = wholeNumber(target.value, least);
            if (next !== undefined) onValue(next);
          }}
          onBlur={() => setTyped(undefined)}
        />
        {steps.map(button)}
      </span>
      <span className={styles.note} title={note}>
        {note}
      </span>
    </div>
  );
}

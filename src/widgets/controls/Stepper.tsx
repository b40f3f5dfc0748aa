import { type KeyboardEvent, useId, useState } from "react";
import { QuietButton, TextField } from "./Button.tsx";
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

/**
 * A whole number: typed, or moved by buttons and by the arrow keys (Shift: the larger step, Page keys: 16 times it).
 */
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
    <QuietButton
      key={by}

      aria-label={`${label} ${by < 0 ? "−" : "+"}${Math.abs(by)}`}
      onClick={() => set(value + by)}
    >
      {by < 0 ? "−" : "+"}
      {Math.abs(by)}
    </QuietButton>
  );
  return (
    <div className={styles.stepper}>
      <label htmlFor={id}>{label}</label>
      <span className={styles.buttons}>
        {steps.toReversed().map((step) => button(-step))}
        <TextField
          id={id}
          inputMode="numeric"
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

// Whole numbers that are typed or stepped.

/** Digits may be grouped; `undefined` for what is not a whole number from `least` on. */
export function wholeNumber(text: string, least: number): number | undefined {
  const plain = text.trim().replaceAll(/[,_ ]/g, "").replace("−", "-");
  if (!/^[+-]?\d+$/.test(plain)) return undefined;
  const value = Number(plain);
  return Number.isSafeInteger(value) && value >= least ? value : undefined;
}

/** Distance that a key moves; `undefined` if it does not. `steps`: the smaller first. */
export function steppedBy(key: string, shift: boolean, steps: readonly number[]): number | undefined {
  const small = steps[0] ?? 1;
  const large = steps.at(-1) ?? small;
  if (key === "ArrowUp") return shift ? large : small;
  if (key === "ArrowDown") return shift ? -large : -small;
  if (key === "PageUp") return large * 16;
  return key === "PageDown" ? -large * 16 : undefined;
}

import { type KeyboardEvent, useId } from "react";
import { movedIndex } from "./roving.ts";
import { Button } from "./Button.tsx";
import styles from "./Segmented.module.css";

export interface SegmentedProps<Value extends string> {
  /** Name of the group. */
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly text: string; readonly title?: string }[];
  readonly onValue: (value: Value) => void;
}

/** One of a few, side by side: a radio group in the shape of a switch. */
export function Segmented<Value extends string>({ label, value, options, onValue }: SegmentedProps<Value>) {
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.altKey) return;
    const from = options.findIndex((option) => option.value === value);
    const moved = movedIndex(event.key, from, options.length, "both");
    const to = options[moved ?? -1];
    if (moved === undefined || to === undefined) return;
    event.preventDefault();
    onValue(to.value);
    event.currentTarget.querySelectorAll<HTMLElement>("[role=radio]").item(moved).focus();
  };
  return (
    <div className={styles.switch} role="radiogroup" aria-label={label} tabIndex={-1} onKeyDown={onKeyDown}>
      {options.map((option) => (
        <Button
          key={option.value}

          role="radio"
          aria-checked={option.value === value}
          tabIndex={option.value === value ? 0 : -1}
          title={option.title}
          onClick={() => onValue(option.value)}
        >
          {option.text}
        </Button>
      ))}
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly text: string }[];
  readonly onValue: (value: string) => void;
  readonly className: string | undefined;
}

/** One of a few, with its label beside it. */
export function Choice({ label, value, options, onValue, className }: ChoiceProps) {
  const id = useId();
  return (
    <div className={className}>
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onValue(event.target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </div>
  );
}

/** A field in which to type where to go: Enter goes there, or says why it cannot. */
import { type ComponentProps, type KeyboardEvent, useId, useState } from "react";
import styles from "./PlaceField.module.css";
import { TextField } from "./Button.tsx";

interface PlaceFieldProps extends Omit<ComponentProps<"input">, "value" | "onChange" | "onSubmit"> {
  /** Present place: shown until something is typed. */
  readonly at: string;
  /** Goes there; returns why it did not. */
  readonly onPlace: (typed: string) => string | undefined;
  /** Up and down arrows go by one. */
  readonly onStep?: (by: 1 | -1) => void;
  /** The reason stands above the field. */
  readonly above?: boolean;
}

export function PlaceField({ at, onPlace, onStep, above = false, ...input }: PlaceFieldProps) {
  const id = useId();
  const [typed, setTyped] = useState<string>();
  const [why, setWhy] = useState<string>();
  const show = (text: string | undefined, reason?: string) => {
    setTyped(text);
    setWhy(reason);
  };
  const commit = () => {
    if (typed === undefined || typed.trim() === "" || typed.trim() === at) return show(undefined);
    const reason = onPlace(typed);
    show(reason === undefined ? undefined : typed, reason);
  };
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === "Enter") commit();
    else if (key === "Escape") show(undefined);
    else if (key === "ArrowUp" || key === "ArrowDown") {
      show(undefined);
      onStep?.(key === "ArrowUp" ? 1 : -1);
    }
  };
  return (
    <span className={styles.place}>
      <TextField
        {...input}
        value={typed ?? at}
        aria-invalid={why !== undefined}
        aria-describedby={why === undefined ? undefined : id}
        onChange={({ target }) => show(target.value)}
        onFocus={({ target }) => target.select()}
        onBlur={() => (why === undefined ? commit() : show(undefined))}
        onKeyDown={onKeyDown}
      />
      <FieldProblem id={id} why={why} above={above} />
    </span>
  );
}

interface FieldProblemProps {
  readonly id: string;
  readonly why: string | undefined;
  readonly above?: boolean;
}

/** Beside a field, in a box that is positioned: why what was typed leads nowhere. */
export const FieldProblem = ({ id, why, above = false }: FieldProblemProps) =>
  why === undefined ? null : (
    <span id={id} role="alert" className={styles.why} data-above={above}>
      {why}
    </span>
  );

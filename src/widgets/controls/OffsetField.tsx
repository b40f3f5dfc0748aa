import { useState } from "react";
import { parseOffset } from "../values/hex-view.ts";
import styles from "../values/HexView.module.css";
import { Form, TextField } from "./Button.tsx";

interface OffsetFieldProps {
  readonly total: number;
  readonly onGo: (offset: number) => void;
  /** Its name; also the placeholder. */
  readonly label?: string;
}

/** Goes to a byte by its offset, decimal or `0x…`. */
export function OffsetField({ total, onGo, label = "Go to offset" }: OffsetFieldProps) {
  const [text, setText] = useState("");
  const offset = parseOffset(text, total);
  const wrong = text.trim() !== "" && offset === undefined;
  return (
    <Form
      className={`relative ${styles.go}`}
      onSubmit={() => {
        if (offset !== undefined) onGo(offset);
      }}
    >
      <TextField
        aria-label={label}
        placeholder={label}
        title={`A byte from 0 to ${(total - 1).toLocaleString("en")}, decimal or 0x…, then Enter`}
        aria-invalid={wrong}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {wrong ? <span role="alert" className={styles.wrong}>{`0 to ${(total - 1).toLocaleString("en")}`}</span> : null}
    </Form>
  );
}

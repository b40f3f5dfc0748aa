import { useState } from "react";
import { prettyJson } from "./json-rows.ts";
import { CopyButton } from "../../widgets/CopyButton.tsx";
import { formatCount } from "../../widgets/number-format.ts";
import { readJson } from "./read-json.ts";
import styles from "./JsonText.module.css";

/** Longer texts are cut on screen; copying gives the whole. */
const MAX_SHOWN = 200_000;

export interface JsonTextProps {
  /** As stored. */
  readonly text: string;
  /** What it is, for the copy button. */
  readonly what: string;
}

/** A JSON text laid out for reading, or as it is stored. */
export function JsonText({ text, what }: JsonTextProps) {
  const [raw, setRaw] = useState(false);
  const { root } = readJson(text);
  const shown = raw || root === undefined ? text : prettyJson(root, text);
  return (
    <div className={styles.json}>
      <div className={styles.tools}>
        <label className={styles.raw}>
          <input
            type="checkbox"
            checked={raw || root === undefined}
            disabled={root === undefined}
            onChange={(event) => {
              setRaw(event.target.checked);
            }}
          />
          As stored
        </label>
        <CopyButton text={shown} what={what} label />
        <span className={styles.size}>{formatCount(text.length)} characters</span>
      </div>
      <pre className={styles.text} tabIndex={0} aria-label={what}>
        {shown.slice(0, MAX_SHOWN)}
      </pre>
      {shown.length <= MAX_SHOWN ? null : (
        <p className={styles.cut}>
          Only the first {formatCount(MAX_SHOWN)} of {formatCount(shown.length)} characters are shown; Copy gives all.
        </p>
      )}
    </div>
  );
}

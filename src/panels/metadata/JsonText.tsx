import { useMemo, useState } from "react";
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
  /** Characters of all of it, where `text` is but its beginning. */
  readonly length: number | undefined;
  /** What it is, for the copy button. */
  readonly what: string;
  readonly onAll: () => void;
}

/** A JSON text laid out for reading, or as it is stored. */
export function JsonText({ text, length, what, onAll }: JsonTextProps) {
  const [raw, setRaw] = useState(false);
  const root = useMemo(() => (length === undefined ? readJson(text).root : undefined), [text, length]);
  const shown = useMemo(() => (raw || root === undefined ? text : prettyJson(root, text)), [raw, root, text]);
  return (
    <div className={styles.json}>
      <div className={styles.tools}>
        <label className={styles.raw}>
          <input
            type="checkbox"
            checked={raw || root === undefined}
            disabled={root === undefined}
            onChange={(event) => setRaw(event.target.checked)}
          />
          As stored
        </label>
        {length === undefined ? <CopyButton text={shown} what={what} label /> : null}
        <span className={styles.size}>{formatCount(length ?? text.length)} characters</span>
      </div>
      {length === undefined ? null : (
        <p className={styles.cut}>
          Text this long takes seconds to lay out: only the first {formatCount(MAX_SHOWN)} of {formatCount(length)}{" "}
          characters are shown, as stored.{" "}
          <button type="button" onClick={onAll}>
            Show all
          </button>
        </p>
      )}
      <pre className={styles.text} tabIndex={0} aria-label={what}>
        {shown.slice(0, MAX_SHOWN)}
      </pre>
      {length !== undefined || shown.length <= MAX_SHOWN ? null : (
        <p className={styles.cut}>
          Only the first {formatCount(MAX_SHOWN)} of {formatCount(shown.length)} characters are shown; Copy gives all.
        </p>
      )}
    </div>
  );
}

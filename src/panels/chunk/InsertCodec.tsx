import { useState } from "react";
import type { CodecDescription } from "../../core/lab.ts";
import type { DeclaredCodec } from "./trial-draft.ts";
import styles from "./TrialPanel.module.css";

interface InsertCodecProps {
  readonly codecs: readonly CodecDescription[];
  readonly onInsert: (codec: DeclaredCodec) => void;
}

/** One more codec, after the step whose bytes are shown. */
export function InsertCodec({ codecs, onInsert }: InsertCodecProps) {
  const [chosen, setChosen] = useState("");
  const codec = codecs.find(({ id }) => id === chosen);
  return (
    <div className={styles.insert}>
      <select aria-label="Codec to insert" value={chosen} onChange={({ target }) => setChosen(target.value)}>
        <option value="">Insert a codec…</option>
        {codecs.map(({ id, insertable }) =>
          insertable === undefined ? null : (
            <option key={id} value={id}>
              {id}
            </option>
          ),
        )}
      </select>
      <button
        type="button"
        aria-disabled={codec === undefined}
        title="Inserted after the step whose bytes are shown, or first if those are the stored bytes"
        onClick={() => {
          const { id, insertable } = codec ?? {};
          if (id === undefined || insertable === undefined) return;
          onInsert({ id, configuration: insertable === "{}" ? "" : insertable });
        }}
      >
        Insert
      </button>
      <span className={styles.quiet} title={codec?.words}>
        {codec?.words}
      </span>
    </div>
  );
}

import { useState } from "react";
import { useEngine } from "../../store/react.tsx";
import type { DeclaredCodec } from "./trial-draft.ts";
import styles from "./TrialPanel.module.css";

const NO_REQUEST = {};

/** A codec more, after the step whose bytes are shown. */
export function InsertCodec({ onInsert }: { readonly onInsert: (codec: DeclaredCodec) => void }) {
  const [chosen, setChosen] = useState("");
  const names = useEngine("lab.codecNames", NO_REQUEST).data ?? [];
  const codec = names.find(({ id }) => id === chosen);
  return (
    <div className={styles.insert}>
      <select
        aria-label="Codec to insert"
        value={chosen}
        onChange={({ target }) => {
          setChosen(target.value);
        }}
      >
        <option value="">Insert a codec…</option>
        {names.map(({ id }) => (
          <option key={id} value={id}>
            {id}
          </option>
        ))}
      </select>
      <button
        type="button"
        aria-disabled={codec === undefined}
        title="After the step whose bytes are shown; first where those are the stored bytes"
        onClick={() => {
          if (codec !== undefined)
            onInsert({ id: codec.id, configuration: codec.defaults === "{}" ? "" : codec.defaults });
        }}
      >
        Insert
      </button>
      <span className={styles.quiet} title={codec?.note}>
        {codec?.note}
      </span>
    </div>
  );
}

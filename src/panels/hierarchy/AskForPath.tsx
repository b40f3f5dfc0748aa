/** In a store that cannot be listed: looks for a group or an array by its path. */
import { useState, type SyntheticEvent } from "react";
import { useActions } from "../../store/react.tsx";
import styles from "./HierarchyPanel.module.css";

export function AskForPath() {
  const actions = useActions();
  const [path, setPath] = useState("");
  const asked = path.trim().replace(/^\/+|\/+$/g, "");
  return (
    <form
      className={styles.ask}
      onSubmit={(event: SyntheticEvent) => {
        event.preventDefault();
        if (asked !== "") void actions.askForPath(asked);
      }}
    >
      <label htmlFor="ask-path">Over HTTP a store cannot be listed. Look for a group or array:</label>
      <div>
        <input
          id="ask-path"
          value={path}
          placeholder="group/array"
          spellCheck={false}
          onChange={(event) => setPath(event.target.value)}
        />
        <button type="submit" disabled={asked === ""}>
          Look
        </button>
      </div>
    </form>
  );
}

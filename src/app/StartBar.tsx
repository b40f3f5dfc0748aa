import { useActions } from "../store/react.tsx";
import { ThemeButton } from "./Header.tsx";
import type { Ui } from "./ui-state.ts";
import styles from "./StartBar.module.css";

/** What can be done while nothing is open, besides opening a set. */
export function StartBar({ ui }: { readonly ui: Ui }) {
  const actions = useActions();
  return (
    <div className={styles.bar}>
      <button type="button" onClick={() => ui.show("locations")}>
        Locations
      </button>
      <button type="button" onClick={() => void actions.newDocument()}>
        Write a new document
      </button>
      <ThemeButton />
      <button type="button" title="Help: all keys" aria-label="Help and keys" onClick={() => ui.show("keys")}>
        ?
      </button>
    </div>
  );
}

import { CopyButton } from "../../widgets/CopyButton.tsx";
import styles from "./PythonSection.module.css";

/** A snippet that opens this very set. */
export function PythonSection({ code }: { readonly code: string }) {
  return (
    <div className={styles.python}>
      <pre className={styles.code} tabIndex={0} aria-label="Python snippet">
        {code}
      </pre>
      <CopyButton text={code} what="snippet" label />
    </div>
  );
}

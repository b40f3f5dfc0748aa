import { findingRemedies } from "../../core/access/finding-remedies.ts";
import type { Finding } from "../../core/findings/fact.ts";
import { CopyButton } from "../../widgets/CopyButton.tsx";
import styles from "./ServerRemedies.module.css";

/** What to paste on the server, and the lines that show the same in a terminal. Nothing where no address is known. */
export function ServerRemedies({ finding }: { readonly finding: Finding }) {
  const remedies = findingRemedies(finding, location.origin);
  if (remedies === undefined) return null;
  const { likely, others, lines } = remedies;
  return (
    <div className={styles.remedies}>
      {[...likely, ...others].map(({ id, title, text }) => (
        <details key={id} open={likely[0]?.id === id}>
          <summary>{title}</summary>
          <div className={styles.text}>
            <pre>{text}</pre>
            <CopyButton text={text} what={`configuration for ${title}`} />
          </div>
        </details>
      ))}
      <p>In a terminal, what the server says for certain:</p>
      {lines.map(({ id, text }) => (
        <div key={id} className={styles.text}>
          <pre>{text}</pre>
          <CopyButton text={text} what="line" />
        </div>
      ))}
    </div>
  );
}

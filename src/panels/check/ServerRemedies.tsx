import { allCorsRemedies, corsRemedies, curlLine } from "../../core/access/server-remedies.ts";
import type { Finding } from "../../core/findings/fact.ts";
import { CopyButton } from "../../widgets/CopyButton.tsx";
import styles from "./ServerRemedies.module.css";

/** Where the server's owner has to let pages in. */
const ABOUT_CORS: ReadonlySet<string> = new Set(["cors-missing", "cors-absent", "cors-headers-hidden"]);
/** Where a request shows what stands in the way. */
const ABOUT_SERVER: ReadonlySet<string> = new Set([
  ...ABOUT_CORS,
  "host-unreachable",
  "http-status",
  "target-gone",
  "range-ignored",
  "range-encoded",
  "range-mismatch",
  "range-short",
  "web-page",
  "unreachable-undecided",
]);

/** What to paste on the server, and the lines that show the same in a terminal. Nothing where no address is known. */
export function ServerRemedies({ finding }: { readonly finding: Finding }) {
  const url = urlOf(finding);
  if (url === undefined || !ABOUT_SERVER.has(finding.code)) return null;
  // Whose configuration stands in the way is not known where the host redirects.
  const likely = finding.facts["redirects"] === true ? [] : corsRemedies(url);
  const configurations = ABOUT_CORS.has(finding.code) ? [...likely, ...others(likely.map(({ id }) => id))] : [];
  const lines = [curlLine(url, location.origin), `npm run -s refscope -- doctor ${JSON.stringify(url)}`];
  return (
    <div className={styles.remedies}>
      {configurations.map(({ id, title, text }) => (
        <details key={id} open={likely[0]?.id === id}>
          <summary>{title}</summary>
          <div className={styles.text}>
            <pre>{text}</pre>
            <CopyButton text={text} what={`configuration for ${title}`} />
          </div>
        </details>
      ))}
      <p>In a terminal, what the server says for certain:</p>
      {lines.map((line) => (
        <div key={line} className={styles.text}>
          <pre>{line}</pre>
          <CopyButton text={line} what="line" />
        </div>
      ))}
    </div>
  );
}

const others = (known: readonly string[]) => allCorsRemedies().filter(({ id }) => !known.includes(id));

/** The address that was asked, else the target where it is one. */
function urlOf({ facts, place }: Finding): string | undefined {
  const known = [facts["url"], place.kind === "target" ? place.target : undefined];
  return known.find((one): one is string => typeof one === "string" && /^https?:\/\//.test(one));
}

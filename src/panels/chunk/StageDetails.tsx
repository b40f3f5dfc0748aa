import type { StageReport } from "../../core/reading.ts";
import { CopyButton } from "../../widgets/CopyButton.tsx";
import { signatureLines } from "./stage-words.ts";
import styles from "./DecodeTab.module.css";

interface StageDetailsProps {
  readonly stage: StageReport | undefined;
  /** The configuration stands elsewhere already. */
  readonly headerOnly: boolean;
}

/** The chosen stage: its configuration in full, and the header that its bytes begin with. */
export function StageDetails({ stage, headerOnly }: StageDetailsProps) {
  if (stage === undefined) return null;
  const { look } = stage;
  const configuration = headerOnly ? "" : stage.configuration;
  return (
    <>
      {configuration === "" || configuration === "{}" ? null : (
        <div className={styles.configuration}>
          <code title={configuration}>{configuration}</code>
          <CopyButton text={configuration} what="codec configuration" />
        </div>
      )}
      {look?.signature === undefined || look.signature.facts.length === 0 ? null : (
        <details className={styles.header}>
          <summary>The bytes after it begin with a header: {look.signature.name}</summary>
          <table>
            <tbody>
              {look.signature.facts.map(({ term, value }) => (
                <tr key={term}>
                  <th scope="row">{term}</th>
                  <td>{value}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <CopyButton text={signatureLines(look.signature)} what="header" label />
        </details>
      )}
    </>
  );
}

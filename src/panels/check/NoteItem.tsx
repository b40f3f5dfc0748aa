import type { ReactNode } from "react";
import type { Acceptance } from "../../core/acceptance.ts";
import type { Place } from "../../core/findings/place.ts";
import { SeverityMark } from "../../widgets/SeverityMark.tsx";
import type { NodesByPath } from "./chunk-of-key.ts";
import { FindingDetails } from "./FindingDetails.tsx";
import { whereOf, type ListedFinding } from "./findings.ts";
import { SetAsideButton } from "./SetAsideButton.tsx";
import { CauseEvidence } from "./values/CauseEvidence.tsx";
import styles from "./NoteItem.module.css";

interface NoteItemProps {
  readonly set: number;
  readonly listed: ListedFinding;
  readonly nodes: NodesByPath;
  readonly opened: boolean;
  /** It was set aside, and reaches further by now. */
  readonly outgrown: Acceptance | undefined;
  readonly onGo: (place: Place) => void;
  readonly onToggle: () => void;
  /** Above the first. */
  readonly heading: ReactNode;
}

/** What is worth knowing: nothing is lost by it. */
export function NoteItem({ set, listed, nodes, opened, outgrown, onGo, onToggle, heading }: NoteItemProps) {
  const { finding, explained } = listed;
  const { severity, title, message } = explained;
  return (
    <li className={styles.item} data-code={finding.code} data-severity={severity}>
      {heading}
      <div className={styles.line}>
        <button type="button" className={styles.go} title={message} onClick={() => onGo(listed.place)}>
          <SeverityMark severity={severity} />
          <b>{title}</b>
          <span className={styles.where}>{whereOf(listed)}</span>
          <span className={styles.message}>{message}</span>
        </button>
        <button type="button" data-kind="quiet" aria-expanded={opened} onClick={onToggle}>
          {opened ? "Less" : "More"}
        </button>
      </div>
      {opened ? (
        <>
          <CauseEvidence set={set} finding={finding} severity={severity} nodes={nodes} />
          <FindingDetails listed={listed} nodes={nodes} onGo={onGo}>
            <SetAsideButton listed={listed} nodes={nodes} outgrown={outgrown} />
          </FindingDetails>
        </>
      ) : null}
    </li>
  );
}

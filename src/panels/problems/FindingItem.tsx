import type { Finding } from "../../core/finding.ts";
import type { Diagnostic } from "../../core/studio.ts";
import { CodeButton } from "../../widgets/CodeButton.tsx";
import { CopyButton } from "../../widgets/CopyButton.tsx";
import { formatCount } from "../../widgets/number-format.ts";
import { SeverityMark } from "../../widgets/SeverityMark.tsx";
import { ActionButton } from "./ActionButton.tsx";
import { isPlaced, whereOf } from "./findings.ts";
import styles from "./FindingItem.module.css";

export interface FindingItemProps {
  readonly finding: Finding;
  readonly index: number;
  readonly total: number;
  readonly top: number;
  readonly opened: boolean;
  readonly inTabOrder: boolean;
  readonly measure: (element: Element | null) => void;
  readonly onFocus: () => void;
  readonly onGo: () => void;
  readonly onToggle: () => void;
  readonly onFix: ((diagnostic: Diagnostic) => void) | undefined;
}

/** One finding: a line that leads to its place, and its whole text on demand. */
export function FindingItem({ finding, index, total, top, opened, inTabOrder, measure, ...on }: FindingItemProps) {
  const { code, severity, message, advice, count = 1 } = finding;
  const where = whereOf(finding);
  const tabIndex = inTabOrder ? 0 : -1;
  return (
    <li
      ref={measure}
      className={styles.item}
      data-index={index}
      data-code={code}
      data-severity={severity}
      aria-posinset={index + 1}
      aria-setsize={total}
      style={{ transform: `translateY(${top}px)` }}
    >
      <div className={styles.line}>
        <button
          type="button"
          className={styles.go}
          tabIndex={tabIndex}
          title={message}
          onFocus={on.onFocus}
          onClick={on.onGo}
        >
          <SeverityMark severity={severity} />
          <code className={styles.code} title={code}>
            {code}
          </code>
          <Where text={where} />
          <span className={styles.message}>{message}</span>
          {count > 1 ? <span className={styles.count}>×{formatCount(count)}</span> : null}
        </button>
        <Fix finding={finding} tabIndex={tabIndex} onFix={on.onFix} />
        <button type="button" data-kind="quiet" tabIndex={tabIndex} aria-expanded={opened} onClick={on.onToggle}>
          {opened ? "Less" : "More"}
        </button>
      </div>
      {opened ? (
        <div className={styles.details}>
          <p>{message}</p>
          {advice === undefined ? null : <p className={styles.advice}>What to do: {advice}</p>}
          {finding.target === undefined ? null : <code>{finding.target}</code>}
          <div className={styles.actions}>
            <ActionButton finding={finding} />
            <CodeButton code={code} />
            <CopyButton
              what="problem"
              label
              text={() => [code, where, message, advice ?? ""].filter((part) => part !== "").join("\n")}
            />
          </div>
        </div>
      ) : null}
    </li>
  );
}

function Where({ text }: { readonly text: string }) {
  return (
    <code className={styles.where} title={text}>
      <bdi dir="ltr">{text}</bdi>
    </code>
  );
}

interface FixProps extends Pick<FindingItemProps, "finding" | "onFix"> {
  readonly tabIndex: number;
}

/** The edit that mends it, where there is one. */
function Fix({ finding, tabIndex, onFix }: FixProps) {
  if (!isPlaced(finding) || onFix === undefined || finding.diagnostic.fix === undefined) return null;
  const { diagnostic } = finding;
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      title={diagnostic.fix?.title}
      onClick={() => {
        onFix(diagnostic);
      }}
    >
      Fix
    </button>
  );
}

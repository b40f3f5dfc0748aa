import type { Place } from "../../core/findings/place.ts";
import type { Diagnostic } from "../../core/studio.ts";
import { formatCount } from "../../widgets/number-format.ts";
import { SeverityMark } from "../../widgets/SeverityMark.tsx";
import type { NodesByPath } from "./chunk-of-key.ts";
import { FindingDetails } from "./FindingDetails.tsx";
import { whereOf, type ListedFinding } from "./findings.ts";
import styles from "./FindingItem.module.css";

export interface FindingItemProps {
  readonly listed: ListedFinding;
  readonly nodes: NodesByPath;
  readonly index: number;
  readonly total: number;
  readonly top: number;
  readonly opened: boolean;
  readonly inTabOrder: boolean;
  readonly measure: (element: Element | null) => void;
  readonly onFocus: () => void;
  readonly onGo: (place: Place) => void;
  readonly onToggle: () => void;
  readonly onFix: ((diagnostic: Diagnostic) => void) | undefined;
}

/** One finding: a line that leads to its place, and its whole text on demand. */
export function FindingItem({
  listed,
  nodes,
  index,
  total,
  top,
  opened,
  inTabOrder,
  measure,
  ...on
}: FindingItemProps) {
  const { code, count } = listed.finding;
  const { severity, message } = listed.explained;
  const where = whereOf(listed);
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
          onClick={() => on.onGo(listed.place)}
        >
          <SeverityMark severity={severity} />
          <code className={styles.code} title={code}>
            {code}
          </code>
          <Where text={where} />
          <span className={styles.message}>{message}</span>
          {count > 1 ? <span className={styles.count}>×{formatCount(count)}</span> : null}
        </button>
        <Fix listed={listed} tabIndex={tabIndex} onFix={on.onFix} />
        <button type="button" data-kind="quiet" tabIndex={tabIndex} aria-expanded={opened} onClick={on.onToggle}>
          {opened ? "Less" : "More"}
        </button>
      </div>
      {opened ? <FindingDetails listed={listed} nodes={nodes} onGo={on.onGo} /> : null}
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

interface FixProps extends Pick<FindingItemProps, "listed" | "onFix"> {
  readonly tabIndex: number;
}

/** The edit that fixes it, where there is one. */
function Fix({ listed: { diagnostic }, tabIndex, onFix }: FixProps) {
  if (diagnostic?.fix === undefined || onFix === undefined) return null;
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      title={diagnostic.fix.title}
      onClick={() => {
        onFix(diagnostic);
      }}
    >
      Fix
    </button>
  );
}

import type { Place } from "../../core/findings/place.ts";
import type { Diagnostic } from "../../core/studio.ts";
import { CodeButton } from "../../widgets/CodeButton.tsx";
import { CopyButton } from "../../widgets/CopyButton.tsx";
import { formatCount } from "../../widgets/number-format.ts";
import { SeverityMark } from "../../widgets/SeverityMark.tsx";
import { ActionButton } from "./ActionButton.tsx";
import type { NodesByPath } from "./chunk-of-key.ts";
import { extentLines } from "./extent-words.ts";
import { chunkOf, whereOf, type ListedFinding } from "./findings.ts";
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
      {opened ? <Details listed={listed} nodes={nodes} onGo={on.onGo} /> : null}
    </li>
  );
}

function Details({ listed, nodes, onGo }: Pick<FindingItemProps, "listed" | "nodes" | "onGo">) {
  const { code } = listed.finding;
  const { message, remedy, readers, action } = listed.explained;
  return (
    <div className={styles.details}>
      <p>{message}</p>
      {remedy === undefined ? null : <p className={styles.advice}>What to do: {remedy}</p>}
      {readers === "" ? null : <p className={styles.readers}>Readers: {readers}</p>}
      <Reach listed={listed} nodes={nodes} onGo={onGo} />
      <div className={styles.actions}>
        <ActionButton action={action} />
        <CodeButton code={code} />
        <CopyButton
          what="problem"
          label
          text={() => [code, whereOf(listed), message, remedy ?? ""].filter((part) => part !== "").join("\n")}
        />
      </div>
    </div>
  );
}

function Where({ text }: { readonly text: string }) {
  return (
    <code className={styles.where} title={text}>
      <bdi dir="ltr">{text}</bdi>
    </code>
  );
}

/** Beyond these only their number is given: chunks have their extent. */
const MAX_PLACES = 5;

function otherPlaces(first: Place, places: readonly Place[]): readonly Place[] {
  const byText = new Map(places.map((place) => [whereOf({ place: chunkOf(place) }), chunkOf(place)]));
  byText.delete(whereOf({ place: first }));
  return [...byText.values()].slice(0, MAX_PLACES);
}

/** How far its cause reaches, and the first places where it was met. */
function Reach({ listed: { finding, place }, nodes, onGo }: Pick<FindingItemProps, "listed" | "nodes" | "onGo">) {
  const { extent, places = [], count, place: own } = finding;
  const lines = extent === undefined ? [] : extentLines(extent, nodes);
  const others = otherPlaces(place, [own, ...places]);
  if (lines.length + others.length === 0) return null;
  const more = Math.max(0, count - others.length - 1);
  return (
    <ul className={styles.reach} aria-label="Where it was met">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
      {others.map((other) => (
        <li key={whereOf({ place: other })}>
          <button type="button" data-kind="link" onClick={() => onGo(other)}>
            {whereOf({ place: other })}
          </button>
        </li>
      ))}
      {others.length === MAX_PLACES && more > 0 ? <li>and {formatCount(more)} more</li> : null}
    </ul>
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

import type { Extent } from "../../core/findings/fact.ts";
import type { NodeSummary } from "../../core/open-set.ts";
import { formatCount } from "../../widgets/number-format.ts";
import { SeverityMark } from "../../widgets/SeverityMark.tsx";
import { FindingDetails } from "./FindingDetails.tsx";
import type { FindingItemProps } from "./FindingItem.tsx";
import { whereOf } from "./findings.ts";
import styles from "./CauseItem.module.css";

/** A cause: what it is and where, what was found, how much it costs. */
export function CauseItem({ listed, nodes, index, total, top, opened, inTabOrder, measure, ...on }: FindingItemProps) {
  const { code, count, extent } = listed.finding;
  const { severity, title, message } = listed.explained;
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
          <span className={styles.what}>
            <b>{title}</b>
            <span className={styles.where}>
              <span title={where}>{where === "" ? "the set" : where}</span> <code>{code}</code>
            </span>
          </span>
          <span className={styles.message}>{message}</span>
          <span className={styles.share}>{shareText(extent, count, nodes)}</span>
        </button>
        <button type="button" data-kind="quiet" tabIndex={tabIndex} aria-expanded={opened} onClick={on.onToggle}>
          {opened ? "Less" : "More"}
        </button>
      </div>
      {opened ? (
        <div className={styles.details}>
          <FindingDetails listed={listed} nodes={nodes} onGo={on.onGo} />
        </div>
      ) : null}
    </li>
  );
}

/** "3 of 54 chunks of sst", "×4" */
function shareText(
  extent: Extent | undefined,
  count: number,
  nodes: ReadonlyMap<string, Pick<NodeSummary, "cells">>,
): string {
  const [first] = extent?.arrays ?? [];
  if (extent === undefined || first === undefined || extent.arrays.length + extent.moreArrays > 1)
    return count > 1 ? `×${formatCount(count)}` : "";
  const cells = nodes.get(first.array)?.cells;
  const all = cells === undefined ? "" : ` of ${formatCount(cells)}`;
  return `${formatCount(first.chunks)}${all} ${first.chunks === 1 && cells === undefined ? "chunk" : "chunks"}`;
}

import { useAppState } from "../../store/react.tsx";
import { ArrayThumbnail } from "../../widgets/ArrayThumbnail.tsx";
import { useThumbnail } from "../../widgets/thumbnails.ts";
import { useMessage } from "../../widgets/use-explain.ts";
import { levelWords } from "../../core/conventions/level-words.ts";
import type { NodeSummary } from "../../core/open-set.ts";
import { completenessSentence } from "../../widgets/CompletenessBar.tsx";
import { formatShape } from "../../widgets/number-format.ts";
import { HealthMark } from "./HealthMark.tsx";
import type { NodeHealth } from "./node-health.ts";
import type { TreeRow } from "./tree.ts";
import styles from "./TreeItem.module.css";

export interface TreeItemProps {
  readonly id: string;
  readonly row: TreeRow;
  readonly health: NodeHealth | undefined;
  /** Pixels from the top of the list. */
  readonly top: number;
  readonly selected: boolean;
  readonly inTabOrder: boolean;
  readonly highlight: string;
  readonly onFocus: () => void;
  readonly onSelect: () => void;
  readonly onToggle: () => void;
}

/** One group or array. */
export function TreeItem({ id, row, health, top, selected, inTabOrder, highlight, ...on }: TreeItemProps) {
  const { node, level, position, siblings, expandable, expanded } = row;
  const reason = useMessage(node.reason);
  return (
    // Keys are handled by the tree around it.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={id}
      className={styles.item}
      role="treeitem"
      // It is called by its name alone: `title` describes the rest, which is hidden from screen readers where it stands.
      data-path={node.path}
      data-kind={node.kind}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-selected={selected}
      aria-expanded={expandable ? expanded : undefined}
      tabIndex={inTabOrder ? 0 : -1}
      style={{ top, paddingLeft: indentOf(level) }}
      title={titleOf(node, health, reason)}
      onFocus={on.onFocus}
      onClick={on.onSelect}
      onDoubleClick={expandable ? on.onToggle : undefined}
    >
      {expandable ? <Twisty expanded={expanded} onToggle={on.onToggle} /> : null}
      <Picture node={node} />
      <span className={styles.name}>
        <b>
          <Highlighted text={node.name} part={highlight} />
        </b>
        {node.level === undefined ? null : (
          <span className={styles.level} aria-hidden="true">
            {levelWords(node.level)}
          </span>
        )}
        {node.kind === "array" ? (
          <span className={styles.shape} aria-hidden="true">
            {formatShape(node.shape ?? [])}
          </span>
        ) : null}
        {node.dtype === undefined ? null : (
          <span className={styles.dtype} aria-hidden="true">
            {node.dtype}
          </span>
        )}
        {node.kind === "broken" ? (
          <span className={styles.reason} aria-hidden="true">
            {reason}
          </span>
        ) : null}
      </span>
      {health === undefined ? null : <HealthMark health={health} />}
    </div>
  );
}

/** Deeper levels are not indented further: a hostile set may nest endlessly. */
const MAX_INDENT = 12;

export const indentOf = (level: number): number => 6 + 14 * Math.min(level - 1, MAX_INDENT);

function titleOf(node: NodeSummary, health: NodeHealth | undefined, reason: string | undefined): string {
  const lines = [node.path === "" ? "/ (the root)" : node.path];
  if (node.kind !== "array") lines.push(node.kind);
  else lines.push(`${node.dtype ?? ""} · ${formatShape(node.shape ?? [])}`);
  if (node.level !== undefined) lines.push(levelWords(node.level));
  if (node.cells !== undefined) lines.push(completenessSentence(node.present ?? 0, node.cells, node.unknown));
  if (health !== undefined && health.kind !== "missing") lines.push(health.sentence);
  if (reason !== undefined) lines.push(reason);
  return lines.join("\n");
}

interface TwistyProps {
  readonly expanded: boolean;
  readonly onToggle: () => void;
}

function Twisty({ expanded, onToggle }: TwistyProps) {
  return (
    // A wider target for the pointer; the keyboard has Left and Right.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events jsx-a11y/no-static-element-interactions
    <span
      className={styles.twisty}
      aria-hidden="true"
      onClick={(event) => {
        event.stopPropagation();
        onToggle();
      }}
      onDoubleClick={(event) => {
        event.stopPropagation();
      }}
    >
      <svg viewBox="0 0 8 8" data-expanded={expanded}>
        <path d="M2.5 1l3 3l-3 3" />
      </svg>
    </span>
  );
}

const SIGNS: Readonly<Record<NodeSummary["kind"], string>> = {
  group: "M1 3h4l1.5 1.5h4.5v5.5h-10z",
  array: "M1.5 1.5h9v9h-9zM4.5 1.5v9M7.5 1.5v9M1.5 4.5h9M1.5 7.5h9",
  broken: "M6 1.2l5 9.3h-10zM6 4.6v3M6 8.8v0.6",
};

/** Of an array of one dimension: a line. */
const LINE = "M1 10l10-8";

/** The array's own picture once there is one, else what kind of node it is. */
function Picture({ node: { path, kind, shape } }: { readonly node: NodeSummary }) {
  const set = useAppState((state) => state.set?.id);
  const isKnown = useThumbnail(set, path) !== undefined;
  if (!isKnown) return <Sign kind={kind} line={shape?.length === 1} />;
  return <ArrayThumbnail set={set} path={path} className={styles.thumbnail} />;
}

interface SignProps {
  readonly kind: NodeSummary["kind"];
  readonly line: boolean;
}

function Sign({ kind, line }: SignProps) {
  return (
    <svg className={styles.sign} data-kind={kind} viewBox="0 0 12 12" aria-hidden="true">
      <path d={kind === "array" && line ? LINE : SIGNS[kind]} />
    </svg>
  );
}

function Highlighted({ text, part }: { readonly text: string; readonly part: string }) {
  const at = part === "" ? -1 : text.toLowerCase().indexOf(part.toLowerCase());
  if (at < 0) return <>{text}</>;
  return (
    <>
      {text.slice(0, at)}
      <mark className={styles.mark}>{text.slice(at, at + part.length)}</mark>
      {text.slice(at + part.length)}
    </>
  );
}

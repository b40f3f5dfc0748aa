/** Tables of what differs between two snapshots, or two sets. */
import { type ReactNode, useId, useState } from "react";
import type { NodeChange, NodeMembers } from "../../core/repository.ts";
import { Button, LinkButton, QuietButton } from "../controls/Button.tsx";
import { JsonChanges } from "../JsonChanges.tsx";
import { MoreRows } from "../notes/MoreRows.tsx";
import { countOf, formatCount } from "../number-format.ts";
import styles from "./ChangeTables.module.css";
import { Head, HeadRow } from "./Head.tsx";

export interface Sign {
  /** So that colour is never the only sign. */
  readonly sign: string;
  readonly word: string;
  readonly tone: "ok" | "bad" | "accent" | "warn";
}

/** A sign and a word for a kind of change. */
export function ChangeMark(props: Sign) {
  return (
    <span className={styles.mark} data-tone={props.tone}>
      <span className={styles.sign} aria-hidden="true">
        {props.sign}
      </span>
      {props.word}
    </span>
  );
}

type LinkOf = (path: string) => ReactNode;

interface NodeChangesProps {
  readonly nodes: readonly (Omit<NodeChange, "node"> & { readonly node: string })[];
  readonly signs: Readonly<Record<NodeChange["kind"], Sign>>;
  readonly link: LinkOf;
}

/** Rows at a time. */
const STEP = 200;

/** Groups and arrays that were added, removed, moved, or whose metadata changed. */
export function NodeChangesTable({ nodes, signs, link }: NodeChangesProps) {
  const [limit, setLimit] = useState(STEP);
  return (
    <>
      <div className={styles.scroll} data-tall="true">
        <table className={styles.table} aria-label="Groups and arrays that differ">
          <HeadRow>
            <Head>Change</Head>
            <Head>Kind</Head>
            <Head look="wide">Group or array</Head>
          </HeadRow>
          <tbody>
            {nodes.slice(0, limit).map((change) => (
              <tr key={`${change.kind} ${change.path}`}>
                <td>
                  <ChangeMark {...signs[change.kind]} />
                </td>
                <td>{change.node}</td>
                <td className={styles.wide}>
                  {link(change.path)}
                  {change.before === undefined ? null : (
                    <>
                      <span className={styles.quiet}> was </span>
                      {link(change.before)}
                    </>
                  )}
                  {change.members === undefined ? null : <Members members={change.members} />}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <MoreRows shown={limit} total={nodes.length} step={STEP} onMore={setLimit} />
    </>
  );
}

/** Fields of the metadata that differ; by logs a node may be named although none does in the end. */
function Members({ members: { changes, count } }: { readonly members: NodeMembers }) {
  if (count === 0) return <p className={styles.quiet}>changed and then reverted</p>;
  return (
    <>
      <JsonChanges changes={changes} />
      {count > changes.length ? (
        <p className={styles.quiet}>and {countOf(count - changes.length, "more member")}</p>
      ) : null}
    </>
  );
}

interface PathLinkProps {
  readonly path: string;
  /** Absent where it cannot be selected, for `lacking`. */
  readonly onSelect: (() => void) | undefined;
  readonly lacking: string;
}

export function PathLink({ path, onSelect, lacking }: PathLinkProps) {
  const text = path === "" ? "/" : path;
  if (onSelect === undefined)
    return (
      <code className={styles.path} title={`${text}: ${lacking}`}>
        {text}
      </code>
    );
  return (
    <LinkButton className={styles.path} title={`Select ${text}`} onClick={onSelect}>
      {text}
    </LinkButton>
  );
}

interface ChangedArray {
  readonly path: string;
  readonly before?: string;
  /** Chunks that differ. */
  readonly count: number;
  readonly marks: readonly Sign[];
  /** Why it cannot be shown on the map. */
  readonly without: string | undefined;
}

interface ChangedArraysProps {
  readonly label: string;
  readonly rows: readonly ChangedArray[];
  readonly link: LinkOf;
  /** The chunks of an array that differ. */
  readonly list: (array: ChangedArray) => ReactNode;
  readonly onMap: (path: string) => void;
}

/** Arrays whose chunks differ, each with the list of those chunks. */
export function ChangedArraysTable({ label, rows, ...rest }: ChangedArraysProps) {
  const [opened, setOpened] = useState<string>();
  const [limit, setLimit] = useState(STEP);
  return (
    <>
      <table className={styles.table} aria-label={label}>
        <HeadRow>
          <Head>Array</Head>
          <Head look="numeric" title="Chunks that differ">
            Differ
          </Head>
          <Head>How</Head>
          <Head look="unseen">Show</Head>
        </HeadRow>
        <tbody>
          {rows.slice(0, limit).map((array) => (
            <ArrayRow
              key={array.path}
              {...rest}
              array={array}
              opened={opened === array.path}
              onToggle={() => setOpened(opened === array.path ? undefined : array.path)}
            />
          ))}
        </tbody>
      </table>
      <MoreRows shown={limit} total={rows.length} step={STEP} onMore={setLimit} />
    </>
  );
}

interface ArrayRowProps extends Omit<ChangedArraysProps, "rows" | "label"> {
  readonly array: ChangedArray;
  readonly opened: boolean;
  readonly onToggle: () => void;
}

function ArrayRow({ array, opened, onToggle, link, list, onMap }: ArrayRowProps) {
  const id = useId();
  const { path, before, count, marks, without } = array;
  const name = path === "" ? "/" : path;
  return (
    <>
      <tr>
        <th scope="row" className={`${styles.wide} ${styles.array}`}>
          {link(path)}
          {before === undefined ? null : <span className={styles.quiet}> was {before}</span>}
        </th>
        <td data-numeric="true">{formatCount(count)}</td>
        <td>
          <span className={styles.kinds}>
            {marks.map((mark) => (
              <ChangeMark key={mark.word} {...mark} />
            ))}
          </span>
        </td>
        <td className={`${styles.does} ${styles.stacked}`}>
          {count === 0 ? null : (
            <span>
              <QuietButton
                aria-label={`${opened ? "Hide" : "List"} chunks of ${name}`}
                aria-expanded={opened}
                aria-controls={id}
                onClick={onToggle}
              >
                {opened ? "Hide chunks" : "List chunks"}
              </QuietButton>
              <Button
                aria-label={`Show on the grid map ${name}`}
                disabled={without !== undefined}
                title={without}
                onClick={() => onMap(path)}
              >
                Show on the grid map
              </Button>
            </span>
          )}
        </td>
      </tr>
      {opened ? (
        <tr id={id} className={styles.opened}>
          <td colSpan={4}>{list(array)}</td>
        </tr>
      ) : null}
    </>
  );
}

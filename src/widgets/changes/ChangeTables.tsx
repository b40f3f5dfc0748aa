/** Tables of what differs between two snapshots, or two sets. */
import { type ReactNode, useState } from "react";
import type { NodeChange, NodeMembers } from "#core/repository.ts";
import { Button, LinkButton, QuietButton } from "../controls/Button.tsx";
import { JsonChanges } from "../JsonChanges.tsx";
import { countOf } from "../number-format.ts";
import { SmallTable } from "../small-table/SmallTable.tsx";
import styles from "./ChangeTables.module.css";

export interface Sign {
  /** So that colour is never the only sign. */
  readonly sign: string;
  readonly word: string;
  readonly tone: "ok" | "bad" | "accent" | "warn";
}

/** A sign and a word for a kind of change. */
export function ChangeMark(props: Sign) {
  return (
    <span className={styles.mark}>
      <span className={styles.sign} data-tone={props.tone} aria-hidden="true">
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
  return (
    <SmallTable
      label="Groups and arrays that differ"
      rows={nodes}
      rowKey={({ kind, path }) => `${kind} ${path}`}
      step={STEP}
      tall
      columns={[
        {
          id: "change",
          header: "Change",
          value: ({ kind }) => signs[kind].word,
          cell: ({ kind }) => <ChangeMark {...signs[kind]} />,
        },
        { id: "kind", header: "Kind", value: ({ node }) => node },
        {
          id: "path",
          header: "Group or array",
          room: "rest",
          value: ({ path }) => path || "/",
          cell: ({ path, before, members }) => (
            <>
              {link(path)}
              {before === undefined ? null : (
                <>
                  <span className="faint"> was </span>
                  {link(before)}
                </>
              )}
              {members === undefined ? null : <Members members={members} />}
            </>
          ),
        },
      ]}
    />
  );
}

/** Fields of the metadata that differ; by logs a node may be named although none does in the end. */
function Members({ members: { changes, count } }: { readonly members: NodeMembers }) {
  if (count === 0) return <p className="faint">changed and then reverted</p>;
  return (
    <>
      <JsonChanges changes={changes} />
      {count > changes.length ? <p className="faint">and {countOf(count - changes.length, "more member")}</p> : null}
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
export function ChangedArraysTable({ label, rows, link, list, onMap }: ChangedArraysProps) {
  const [opened, setOpened] = useState<string>();
  return (
    <SmallTable
      label={label}
      rows={rows}
      rowKey={({ path }) => path}
      step={STEP}
      details={(array) => (opened === array.path ? list(array) : undefined)}
      columns={[
        {
          id: "array",
          header: "Array",
          names: true,
          room: "rest",
          value: ({ path }) => path || "/",
          cell: ({ path, before }) => (
            <>
              {link(path)}
              {before === undefined ? null : <span className="faint"> was {before}</span>}
            </>
          ),
        },
        {
          id: "differ",
          header: "Differ",
          title: "Chunks that differ",
          numeric: true,
          rank: 1,
          value: ({ count }) => count,
        },
        {
          id: "how",
          header: "How",
          value: ({ marks }) => marks.map(({ word }) => word).join(", "),
          cell: ({ marks }) => (
            <span className={styles.kinds}>
              {marks.map((mark) => (
                <ChangeMark key={mark.word} {...mark} />
              ))}
            </span>
          ),
        },
        {
          id: "show",
          header: "Show",
          unseen: true,
          cell: (array) => (
            <ShowArray
              array={array}
              opened={opened === array.path}
              onToggle={() => setOpened(opened === array.path ? undefined : array.path)}
              onMap={onMap}
            />
          ),
        },
      ]}
    />
  );
}

interface ShowArrayProps extends Pick<ChangedArraysProps, "onMap"> {
  readonly array: ChangedArray;
  readonly opened: boolean;
  readonly onToggle: () => void;
}

function ShowArray({ array: { path, count, without }, opened, onToggle, onMap }: ShowArrayProps) {
  const name = path === "" ? "/" : path;
  if (count === 0) return null;
  return (
    <>
      <QuietButton
        aria-label={`${opened ? "Hide" : "List"} chunks of ${name}`}
        aria-expanded={opened}
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
    </>
  );
}

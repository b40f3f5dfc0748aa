import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from "react";
import { type Finding, findingOfError } from "#core/findings/finding.ts";
import type { JsonNode } from "#core/json/json.ts";
import type { NodeDetail } from "#core/open-set.ts";
import { parseJsonTree } from "#core/json/parse-json.ts";
import { useAppState, useEngine } from "#store/react.tsx";
import { EmptyState, ErrorNotice, Unanswered, useMessage } from "#widgets/notes/Notices.tsx";
import { type Tab, TabPanel, Tabs } from "#widgets/controls/Tabs.tsx";
import { countOf, formatCount } from "#widgets/number-format.ts";
import { movedIndex, parentIndex } from "#widgets/controls/roving.ts";
import { Button, CopyButton, QuietButton } from "#widgets/controls/Button.tsx";
import { FileStructures } from "./FileStructures.tsx";
import styles from "./MetadataPanel.module.css";

// A JSON document as the rows of a tree that can be folded. Numbers stay as they were written: `1.0` is not `1`.

interface JsonRow {
  /** Path as Python subscripts from the attributes on: `["valid_range"][0]`. Unique within the value. */
  readonly path: string;
  /** The last part: a key, or an index. */
  readonly name: string;
  readonly value: JsonNode;
  /** From 1. */
  readonly level: number;
  readonly position: number;
  readonly siblings: number;
  readonly expandable: boolean;
  readonly expanded: boolean;
}

interface Frame {
  readonly members: readonly (readonly [name: string, path: string, value: JsonNode])[];
  at: number;
}

/** Rows in order; at most `limit`, and whether there are more. */
export function jsonRows(
  value: JsonNode,
  isExpanded: (path: string, level: number) => boolean,
  limit: number,
): { readonly rows: readonly JsonRow[]; readonly more: boolean } {
  const rows: JsonRow[] = [];
  const stack: Frame[] = [{ members: membersOf(value, ""), at: 0 }];
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    const member = frame.members[frame.at];
    frame.at += 1;
    if (member === undefined) {
      stack.pop();
      continue;
    }
    if (rows.length === limit) return { rows, more: true };
    const [name, path, inner] = member;
    const level = stack.length;
    const expandable = memberCount(inner) > 0;
    const expanded = expandable && isExpanded(path, level);
    rows.push({
      path,
      name,
      value: inner,
      level,
      position: frame.at,
      siblings: frame.members.length,
      expandable,
      expanded,
    });
    if (expanded) stack.push({ members: membersOf(inner, path), at: 0 });
  }
  return { rows, more: false };
}

function membersOf(value: JsonNode, path: string): Frame["members"] {
  if (value.kind === "array") return value.items.map((inner, index) => [String(index), `${path}[${index}]`, inner]);
  if (value.kind !== "object") return [];
  // A repeated key has its last value, where it was first written.
  const last = new Map(value.members.map(({ key, node }) => [key, node]));
  return [...last].map(([key, inner]) => [key, `${path}[${JSON.stringify(key)}]`, inner]);
}

function memberCount(value: JsonNode): number {
  if (value.kind === "object") return value.members.length;
  return value.kind === "array" ? value.items.length : 0;
}

/** Longest text of a value in its row; the whole is in the title and is what is copied. */
const JSON_ROWS_MAX_SHOWN = 400;

const LONGEST_LIST = 12;

/** A value in one line: strings with quotes, objects and lists by their size, short lists of scalars written out. */
export function valueText(value: JsonNode): string {
  const text = lineOf(value);
  return text.length > JSON_ROWS_MAX_SHOWN ? `${text.slice(0, JSON_ROWS_MAX_SHOWN)}…` : text;
}

function lineOf(value: JsonNode): string {
  if (value.kind === "object")
    return value.members.length === 0 ? "{}" : `{ ${countOf(memberCount(value), "member")} }`;
  if (value.kind === "array") {
    const short =
      value.items.length <= LONGEST_LIST && value.items.every(({ kind }) => kind !== "array" && kind !== "object");
    return short ? `[${value.items.map(lineOf).join(", ")}]` : `[ ${countOf(memberCount(value), "item")} ]`;
  }
  return value.kind === "number" ? value.text : JSON.stringify(value.value);
}

/** Text to copy for a value: a string without its quotes, everything else as `text`, the document, has it. */
export function copiedText(value: JsonNode, text: string): string {
  return value.kind === "scalar" && typeof value.value === "string" ? value.value : text.slice(value.start, value.end);
}

const INDENT = "  ";

/** Laid out for reading, every scalar as `text`, the document, has it. */
export function prettyJson(root: JsonNode, text: string, indent = ""): string {
  const deeper = indent + INDENT;
  if (root.kind === "array" && root.items.length > 0) {
    return `[\n${root.items.map((item) => deeper + prettyJson(item, text, deeper)).join(",\n")}\n${indent}]`;
  }
  if (root.kind === "object" && root.members.length > 0) {
    const lines = root.members.map(
      ({ key, node }) => `${deeper}${JSON.stringify(key)}: ${prettyJson(node, text, deeper)}`,
    );
    return `{\n${lines.join(",\n")}\n${indent}}`;
  }
  return text.slice(root.start, root.end);
}

const CANCELLED = ["Reading the metadata was cancelled", "Read it"] as const;

interface MetadataPanelProps {
  /** Description of the selected array. */
  readonly about?: ReactNode;
}

/** The selected array in words, attributes of it or of the selected group, and its metadata documents as stored. */
export function MetadataPanel({ about }: MetadataPanelProps) {
  const set = useAppState((state) => state.set);
  const path = useAppState((state) => state.node);
  const [chosen, setChosen] = useState<Part>();
  const [whole, setWhole] = useState<string>();
  const wanted = set === undefined ? undefined : { set: set.id, path };
  const answer = useEngine("set.node", wanted === undefined || whole !== path ? wanted : { ...wanted, whole: true });
  const { data, stale } = answer;
  if (answer.error !== undefined)
    return (
      <div className={styles.padded}>
        <ErrorNotice error={answer.error} onRetry={answer.retry} />
      </div>
    );
  if (data === undefined) return <Unanswered answer={answer} label="Reading metadata" cancelled={CANCELLED} />;
  return (
    <div className={`column low tall ${styles.panel}`} data-stale={stale}>
      <NodeMetadata
        key={data.path}
        about={about}
        file={set?.isFile === true ? set.id : undefined}
        detail={data}
        chosen={chosen}
        onChoose={setChosen}
        onAll={() => setWhole(path)}
      />
    </div>
  );
}

type Part = "about" | "attributes" | "json" | "documents" | "file";

interface NodeMetadataProps extends MetadataPanelProps {
  readonly detail: NodeDetail;
  /** The set, where it is a data file. */
  readonly file: number | undefined;
  /** Stays from node to node once the user has chosen; until then what there is to see. */
  readonly chosen: Part | undefined;
  readonly onChoose: (part: Part) => void;
  /** Asks for the whole of texts that were cut. */
  readonly onAll: () => void;
}

function NodeMetadata({ about, detail, file, chosen, onChoose, onAll }: NodeMetadataProps) {
  const hasAbout = about !== undefined;
  const first = hasAbout ? "about" : detail.attributes === undefined ? "documents" : "attributes";
  const part = chosen === undefined || (chosen === "about" && !hasAbout) ? first : chosen;
  const { attributes, attributesLength } = detail;
  const { root, problem } = useMemo(
    () => (attributesLength === undefined ? readJson(attributes) : readJson(undefined)),
    [attributes, attributesLength],
  );
  const count = root?.kind === "object" ? formatCount(root.members.length) : undefined;
  const tabs: readonly Tab<Part>[] = [
    ...(hasAbout ? [{ id: "about" as const, label: "Array" }] : []),
    { id: "attributes", label: "Attributes", ...(count === undefined ? {} : { badge: count }) },
    { id: "json", label: "Attributes as JSON" },
    {
      id: "documents",
      label: file === undefined ? "Documents" : "As Zarr",
      badge: formatCount(detail.documents.length),
    },
    ...(file === undefined ? [] : [{ id: "file" as const, label: "File structure" }]),
  ];
  return (
    <>
      <div className={styles.tabs}>
        <Tabs label="Metadata" tabs={tabs} selected={part} onSelect={onChoose} idBase="metadata" size="small" />
      </div>
      <TabPanel
        idBase="metadata"
        id={part}
        className={part === "about" ? `${styles.part} ${styles.about}` : styles.part}
      >
        {part === "about" ? (
          about
        ) : part === "file" && file !== undefined ? (
          <FileStructures set={file} path={detail.path} />
        ) : part === "documents" ? (
          <Documents detail={detail} onAll={onAll} />
        ) : detail.attributes === undefined ? (
          <EmptyState title="No attributes">
            {detail.path === "" ? "The root" : detail.path} has no <code>.zattrs</code>.
          </EmptyState>
        ) : part === "attributes" && root !== undefined ? (
          <AttributeTree root={root} text={detail.attributes} />
        ) : (
          <>
            {problem === undefined ? null : <ErrorNotice error={problem} />}
            <JsonText text={detail.attributes} length={attributesLength} what="attributes" onAll={onAll} />
          </>
        )}
      </TabPanel>
    </>
  );
}

function Documents({ detail, onAll }: Pick<NodeMetadataProps, "detail" | "onAll">) {
  const reason = useMessage(detail.reason);
  if (detail.documents.length === 0)
    return (
      <EmptyState title="No metadata documents">
        {detail.kind === "group"
          ? "This group has no .zgroup. Refscope infers it from the keys below it."
          : (reason ?? "The dataset has none for this node.")}
      </EmptyState>
    );
  return (
    <div className={styles.documents}>
      {detail.documents.map(({ key, text, length, problem }) => (
        <section key={key} className="grid gap-6 narrow" aria-label={key}>
          <h3 className={styles.key}>{key}</h3>
          {text === undefined ? (
            <Unread problem={problem} />
          ) : (
            <JsonText text={text} length={length} what={key} onAll={onAll} />
          )}
        </section>
      ))}
    </div>
  );
}

function Unread({ problem }: { readonly problem: Finding | undefined }) {
  return <p className="bad">✕ {useMessage(problem) ?? "The document could not be read."}</p>;
}

/** Longer texts are cut on screen; copying gives the whole. */
const MAX_SHOWN = 200_000;

interface JsonTextProps {
  /** Text as stored. */
  readonly text: string;
  /** Characters of all of it, where `text` is but its beginning. */
  readonly length: number | undefined;
  /** Name of the text, for the copy button. */
  readonly what: string;
  readonly onAll: () => void;
}

/** A JSON text laid out for reading, or as it is stored. */
function JsonText({ text, length, what, onAll }: JsonTextProps) {
  const [raw, setRaw] = useState(false);
  const root = useMemo(() => (length === undefined ? readJson(text).root : undefined), [text, length]);
  const shown = useMemo(() => (raw || root === undefined ? text : prettyJson(root, text)), [raw, root, text]);
  return (
    <div className="grid gap-8 narrow">
      <div className="wrap gap-12">
        <label className={styles.raw}>
          <input
            type="checkbox"
            checked={raw || root === undefined}
            disabled={root === undefined}
            onChange={(event) => setRaw(event.target.checked)}
          />
          As stored
        </label>
        {length === undefined ? <CopyButton text={shown} what={what} label /> : null}
        <span className={styles.size}>{formatCount(length ?? text.length)} characters</span>
      </div>
      {length === undefined ? null : (
        <p className={styles.cut}>
          Long texts take seconds to lay out. Showing only the first {formatCount(MAX_SHOWN)} of {formatCount(length)}{" "}
          characters are shown, as stored. <Button onClick={onAll}>Show all</Button>
        </p>
      )}
      <pre className={styles.text} tabIndex={0} aria-label={what}>
        {shown.slice(0, MAX_SHOWN)}
      </pre>
      {length !== undefined || shown.length <= MAX_SHOWN ? null : (
        <p className={styles.cut}>
          Only the first {formatCount(MAX_SHOWN)} of {formatCount(shown.length)} characters are shown; Copy gives all.
        </p>
      )}
    </div>
  );
}

/** Reads JSON as leniently as Python does (NaN), integers exact; `problem`: why the text is not JSON. */
function readJson(text: string | undefined) {
  if (text === undefined) return { root: undefined, problem: undefined };
  try {
    return { root: parseJsonTree(text).root, problem: undefined };
  } catch (error) {
    return { root: undefined, problem: findingOfError(error, "Reading the attributes") };
  }
}

/** Rows drawn at first, and added on demand. */
const ROWS_AT_ONCE = 1000;

interface AttributeTreeProps {
  readonly root: JsonNode;
  /** The document that `root` was read from. */
  readonly text: string;
}

/** Attributes as a tree: arrows move, fold and unfold; each value and its place can be copied. */
function AttributeTree({ root, text }: AttributeTreeProps) {
  const box = useRef<HTMLDivElement>(null);
  const [said, setSaid] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [limit, setLimit] = useState(ROWS_AT_ONCE);
  const [active, setActive] = useState(0);
  const { rows, more } = jsonRows(root, (path, level) => said.get(path) ?? level === 1, limit);
  const focusRow = (index: number) => {
    setActive(index);
    box.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus();
  };
  const fold = (row: JsonRow, expanded: boolean) => setSaid(new Map(said).set(row.path, expanded));
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[active];
    // Keys of the buttons within a row are the buttons' own.
    if (row === undefined || !(event.target as HTMLElement).matches('[role="treeitem"]')) return;
    const to = movedIndex(event.key, active, rows.length, "vertical");
    if (to !== undefined) focusRow(to);
    else if (event.key === "ArrowRight" && row.expandable && !row.expanded) fold(row, true);
    else if (event.key === "ArrowRight" && row.expanded) focusRow(active + 1);
    else if (event.key === "ArrowLeft" && row.expanded) fold(row, false);
    else if (event.key === "ArrowLeft") focusRow(parentIndex(rows, active) ?? active);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div ref={box} className={styles.tree} role="tree" aria-label="Attributes" tabIndex={-1} onKeyDown={onKeyDown}>
        {rows.map((row, index) => (
          <AttributeRow
            key={row.path}
            row={row}
            text={text}
            index={index}
            inTabOrder={index === Math.min(active, rows.length - 1)}
            onFocus={setActive}
            onFold={fold}
          />
        ))}
      </div>
      {more ? (
        <p className={styles.more}>
          Only the first {formatCount(limit)} lines are shown.{" "}
          <Button onClick={() => setLimit(limit + ROWS_AT_ONCE)}>Show {formatCount(ROWS_AT_ONCE)} more</Button>
        </p>
      ) : null}
    </>
  );
}

interface AttributeRowProps {
  readonly row: JsonRow;
  readonly text: string;
  readonly index: number;
  readonly inTabOrder: boolean;
  readonly onFocus: (index: number) => void;
  readonly onFold: (row: JsonRow, expanded: boolean) => void;
}

/** Deeper levels are not indented further. */
const MAX_INDENT = 20;

function AttributeRow({ row, text, index, inTabOrder, onFocus, onFold }: AttributeRowProps) {
  return (
    <div
      className={styles.row}
      role="treeitem"
      data-index={index}
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-selected={false}
      aria-expanded={row.expandable ? row.expanded : undefined}
      tabIndex={inTabOrder ? 0 : -1}
      onFocus={() => onFocus(index)}
    >
      <span className="cut strong" style={{ paddingLeft: 16 * Math.min(row.level - 1, MAX_INDENT) }} title={row.name}>
        <QuietButton
          className={styles.fold}
          tabIndex={-1}
          aria-hidden="true"
          data-expandable={row.expandable}
          onClick={() => onFold(row, !row.expanded)}
        >
          {row.expandable ? (row.expanded ? "▾" : "▸") : ""}
        </QuietButton>
        {row.name}
      </span>
      <span className={styles.value} data-type={typeOf(row.value)} title={copiedText(row.value, text).slice(0, 4000)}>
        {valueText(row.value)}
      </span>
      <span className={styles.copy}>
        <CopyButton text={() => copiedText(row.value, text)} what="value" />
        <CopyButton text={row.path} what={`path ${row.path}`} sign="path" />
      </span>
    </div>
  );
}

function typeOf(value: JsonNode): string {
  if (value.kind !== "scalar") return value.kind === "number" ? "number" : "object";
  return value.value === null ? "null" : typeof value.value;
}

/** Words of the view History. */
import type {
  ChangeKind,
  CommitChanges,
  CommitRow,
  NodeChange,
  NodeTouched,
  RepositoryHistory,
  ShownRef,
  SnapshotChanges,
} from "#core/repository.ts";
import type { Sign } from "#widgets/changes/ChangeTables.tsx";
import { countOf, formatCount } from "#widgets/number-format.ts";
import { knownRefs } from "./ref-rows.ts";

/** `branch dev`, `tag v1`, `snapshot CMK0VV4R…` */
export function refWords(shown: ShownRef): string {
  return shown.kind === "snapshot" ? `snapshot ${shortId(shown.snapshot)}` : `${shown.kind} ${shown.name}`;
}

const SHORT = 8;

/** The beginning of a snapshot's id, by which people tell them apart. */
export const shortId = (id: string): string => (id.length <= SHORT ? id : `${id.slice(0, SHORT)}…`);

/** Message in one line: messages are free text. */
export function messageLine(message: string): string {
  const line = message.replaceAll(/\s+/g, " ").trim();
  return line === "" ? "no message" : line;
}

/** Why a commit has no parent in the list. */
export function endWords(end: CommitRow["end"]): string {
  if (end === "missing") return "expired, no longer in the repository";
  if (end === "limit") return "not fetched yet";
  if (end === "unreadable") return "cannot be read";
  return end === "circle" ? "a snapshot further up: the parents form a loop" : "none, this is the first snapshot";
}

/** `2 branches, no tags, 1 tag deleted` */
export function refCounts(history: RepositoryHistory): string {
  const { deletedTags, refsComplete } = history;
  const [branches, tags] = [knownRefs(history, "branch"), knownRefs(history, "tag")];
  const known = refsComplete ? "" : " known";
  const deleted = deletedTags.length === 0 ? "" : `, ${countOf(deletedTags.length, "tag")} deleted`;
  const tagWords = tags.length === 0 ? `no tags${known}` : countOf(tags.length, "tag") + known;
  return `${countOf(branches.length, "branch", "branches")}${known}, ${tagWords}${deleted}`;
}

/** Changes of a commit, an item each: `sst: 18 of 54 chunks`. Logs do not tell written chunks from deleted ones. */
export function changeWords({ arrays, nodes }: CommitChanges): readonly string[] {
  const name = (path: string | undefined, node: string) =>
    path === undefined ? `an unnamed ${node}` : shownPath(path);
  return [
    ...nodes.map(({ kind, node, path, before }) =>
      kind === "moved"
        ? `${node} ${shownPath(before ?? "")} moved to ${name(path, node)}`
        : `${node} ${name(path, node)} ${NODE_SIGNS[kind].word}`,
    ),
    ...arrays.map(
      ({ path, count, chunks }) =>
        `${name(path, "array")}: ${chunks === undefined ? "" : `${formatCount(count)} of `}${countOf(chunks ?? count, "chunk")}`,
    ),
  ];
}

const shownPath = (path: string) => (path === "" ? "/" : path);

/** The same in a line: `2 new arrays, 72 chunks`. */
export function changesLine(changes: CommitChanges): string {
  if (changes.isUntold) return "no transaction log";
  const { arrays, nodes } = changes;
  const chunks = arrays.reduce((sum, { count }) => sum + count, 0);
  const isNew = arrays.every((one) => one.isNew);
  const of = isNew ? "" : ` of ${pathsOf(arrays)}`;
  const written = arrays.length === 0 ? [] : [`${countOf(chunks, "chunk")}${of}`];
  const all = [
    ...nodeParts(nodes, "added"),
    ...written,
    ...(["removed", "moved", "updated"] as const).flatMap((kind) => nodeParts(nodes, kind)),
  ];
  return all.length === 0 ? "nothing" : all.join(", ");
}

function nodeParts(nodes: readonly NodeTouched[], kind: NodeTouched["kind"]): readonly string[] {
  const all = nodes.filter((one) => one.kind === kind);
  // Groups come and go with their arrays.
  const arrays = all.filter(({ node }) => node === "array");
  const named = arrays.length === 0 ? all : arrays;
  if (named.length === 0) return [];
  if (kind === "updated") return [`metadata of ${pathsOf(named)}`];
  const node = arrays.length === 0 ? "group" : "array";
  if (kind === "added")
    return [named.length === 1 ? `new ${pathsOf(named, node)}` : countOf(named.length, `new ${node}`)];
  return [`${pathsOf(named, node)} ${NODE_SIGNS[kind].word}`];
}

/** `sst`, `3 arrays`, `1 array` where its path is not known. */
function pathsOf(all: readonly { readonly path?: string }[], node = "array"): string {
  const [first] = all;
  return all.length === 1 && first?.path !== undefined ? shownPath(first.path) : countOf(all.length, node);
}

export function statusWords(status: RepositoryHistory["status"]): string | undefined {
  if (status === undefined) return undefined;
  const { availability, reason } = status;
  const plain = availability.replace("-", " ");
  return reason === undefined || reason === "" ? plain : `${plain}: ${reason}`;
}

export const NODE_SIGNS: Readonly<Record<NodeChange["kind"], Sign>> = {
  added: { sign: "+", word: "added", tone: "ok" },
  removed: { sign: "−", word: "removed", tone: "bad" },
  moved: { sign: "→", word: "moved", tone: "accent" },
  updated: { sign: "~", word: "metadata changed", tone: "warn" },
};

export const CHUNK_SIGNS: Readonly<Record<ChangeKind, Sign>> = {
  set: { sign: "±", word: "written or deleted", tone: "accent" },
  added: { sign: "+", word: "added", tone: "ok" },
  removed: { sign: "−", word: "removed", tone: "bad" },
  changed: { sign: "~", word: "changed", tone: "warn" },
};

/** `Different: 1 group and 2 arrays, and chunks of 1 array.`; it promises nothing of what could not be compared. */
export function changesSentence({ nodes, arrays, uncompared }: SnapshotChanges): string {
  const isWhole = uncompared === 0;
  if (nodes.length === 0 && arrays.length === 0)
    return isWhole ? "The two snapshots do not differ." : "No difference found in the parts that could be compared.";
  const paths = (kind: NodeChange["node"]) => new Set(nodes.flatMap(({ node, path }) => (node === kind ? [path] : [])));
  const whole = (["group", "array"] as const).flatMap((kind) =>
    paths(kind).size === 0 ? [] : [countOf(paths(kind).size, kind)],
  );
  const what = [
    ...(whole.length === 0 ? [] : [whole.join(" and ")]),
    ...(arrays.length === 0 ? [] : [`chunks of ${countOf(arrays.length, "array")}`]),
  ];
  return `Different${isWhole ? "" : " in the parts that could be compared"}: ${what.join(", and ")}.`;
}

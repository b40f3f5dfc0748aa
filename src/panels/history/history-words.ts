/** Words of the view History. */
import type {
  Ancestry,
  ChangeKind,
  NodeChange,
  RepositoryHistory,
  ShownRef,
  SnapshotChanges,
  SnapshotEntry,
} from "#core/repository.ts";
import type { Sign } from "#widgets/changes/ChangeTables.tsx";
import { countOf } from "#widgets/number-format.ts";

/** `branch:NAME`, `tag:NAME`, `snapshot:ID`, as `openRef` and the address take it. */
export function refOfShown(shown: ShownRef): string {
  return shown.kind === "snapshot" ? `snapshot:${shown.snapshot}` : `${shown.kind}:${shown.name}`;
}

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

/** Which of the chosen snapshots are not among those listed, by id and message; `known`: all that were met. */
export function chosenElsewhere(
  chosen: { readonly from: string | undefined; readonly to: string | undefined },
  listed: readonly SnapshotEntry[],
  known: ReadonlyMap<string, SnapshotEntry>,
): string | undefined {
  const ids = new Set(listed.map(({ id }) => id));
  const words = (["from", "to"] as const).flatMap((side) => {
    const id = chosen[side];
    if (id === undefined || ids.has(id)) return [];
    const message = known.get(id)?.message;
    return [
      `${side === "from" ? "From" : "To"}: ${shortId(id)}${message === undefined ? "" : ` (${messageLine(message)})`}`,
    ];
  });
  return words.length === 0 ? undefined : `Chosen, but not in this list: ${words.join(", ")}.`;
}

/** Why the chain ends where it does; nothing where more can be asked for. */
export function endSentence(end: Ancestry["end"], count: number): string | undefined {
  if (end === "limit") return undefined;
  if (end === "missing")
    return count === 0
      ? "This snapshot has expired and is no longer in the repository."
      : "The parent of the last one has expired and is no longer in the repository.";
  if (end === "circle") return "The parent of the last one is a snapshot further up: the parents form a loop.";
  return count === 1 ? "This is the first snapshot; it has no parent." : "This is the start of the history.";
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

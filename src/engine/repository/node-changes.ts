/** Nodes of two snapshots: what was added, removed, moved, and whose metadata changed. */
import { attempt } from "#core/basics.ts";
import { cut } from "#core/words.ts";
import { jsonChanges, type JsonChange } from "#core/json/json-changes.ts";
import type { JsonValue } from "#core/json/json.ts";
import { parseJson } from "#core/json/parse-json.ts";
import type { NodeChange } from "#core/repository.ts";
import type { SideNode, SnapshotSide } from "./snapshot-side.ts";
import { sameBytes } from "#core/bytes.ts";

/** Facts that logs add to the two snapshots. */
export interface LoggedNodes {
  /** Ids. */
  readonly updated: ReadonlySet<string>;
  /** First path of a node that is only in `to`, by its id. */
  readonly firstPaths: ReadonlyMap<string, string>;
}

/**
 * Changes by id. Without logs, "updated" are nodes of both with different metadata; with logs all nodes that these
 * name, as in the official reader, also if the metadata are the same in the end or the node is new.
 */
export function nodeChanges(from: SnapshotSide, to: SnapshotSide, logged?: LoggedNodes): readonly NodeChange[] {
  const changes: NodeChange[] = [];
  const room = { members: MAX_MEMBERS };
  for (const node of to.nodes.values()) {
    const old = from.nodes.get(node.id);
    const before = old?.path ?? logged?.firstPaths.get(node.id) ?? node.path;
    if (old === undefined) changes.push(changeOf("added", node));
    if (before !== node.path) changes.push({ ...changeOf("moved", node), before });
    if (logged?.updated.has(node.id) ?? isUpdated(old, node)) {
      changes.push({ ...changeOf("updated", node), ...(old === undefined ? {} : membersOf(old, node, room)) });
    }
  }
  for (const node of from.nodes.values()) {
    if (to.nodes.has(node.id)) continue;
    changes.push(changeOf("removed", node));
    if (logged?.updated.has(node.id) === true) changes.push(changeOf("updated", node));
  }
  return changes.sort(byPath);
}

/** For all nodes together. */
const MAX_MEMBERS = 2000;
const MAX_MEMBERS_OF_NODE = 50;
const MAX_CHARACTERS = 300;
/** Larger documents are not compared: the page must stay quick to draw. */
const MAX_DOCUMENT_BYTES = 2 ** 20;

/** Nothing where a document cannot be read, or there is no more room. */
function membersOf(old: SideNode, node: SideNode, room: { members: number }): Pick<NodeChange, "members"> {
  if (room.members <= 0 || Math.max(old.metadata.length, node.metadata.length) > MAX_DOCUMENT_BYTES) return {};
  const [before, after] = [valueOf(old), valueOf(node)];
  if (before === undefined || after === undefined) return {};
  const all = jsonChanges(before, after);
  const changes = all.slice(0, Math.min(MAX_MEMBERS_OF_NODE, room.members)).map(withShortTexts);
  room.members -= changes.length;
  return { members: { changes, count: all.length } };
}

function valueOf({ metadata }: SideNode): JsonValue | undefined {
  return attempt(() => parseJson(new TextDecoder().decode(metadata)).value);
}

const withShortTexts = ({ path, before, after }: JsonChange): JsonChange => ({
  path: cut(path, MAX_CHARACTERS),
  ...(before === undefined ? {} : { before: cut(before, MAX_CHARACTERS) }),
  ...(after === undefined ? {} : { after: cut(after, MAX_CHARACTERS) }),
});

const changeOf = (kind: NodeChange["kind"], { kind: node, path }: SideNode): NodeChange => ({ kind, node, path });

export const isUpdated = (old: SideNode | undefined, node: SideNode): boolean =>
  old !== undefined && !sameBytes(old.metadata, node.metadata);

const byPath = (a: NodeChange, b: NodeChange): number => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);

/** The metadata documents that describe an array, edited: its own, and its copies in consolidated metadata. */
import type { ArrayMetadata } from "../../core/metadata/array-metadata.ts";
import { RefscopeError } from "../../core/errors.ts";
import { failure } from "../../core/findings/failure.ts";
import { keyAt } from "../../core/findings/place.ts";
import type { JsonNode } from "../../core/json/json.ts";
import type { Trial } from "../../core/check/lab.ts";
import { parseJsonTree } from "../../core/json/parse-json.ts";
import type { TableEdit, TextEdit } from "../../core/studio.ts";
import type { DocumentSet } from "../engine-set.ts";
import { applyTextEdits } from "../edit/text-edits.ts";
import { metadataEdits, type DocumentNode } from "./edited-metadata.ts";

/** Edits of an array's document, in the order of its text. */
export type DocumentChange = (document: DocumentNode) => readonly TextEdit[];

/**
 * A `set-reference` a document that says something else after it; none where the set has no such document.
 *
 * @throws RefscopeError `not-editable` where a document is made by gen; `trial-configuration`
 */
export function documentEdits(
  set: DocumentSet,
  path: string,
  metadata: ArrayMetadata,
  trial: Trial,
): readonly TableEdit[] {
  const name = metadata.zarrFormat === 2 ? ".zarray" : "zarr.json";
  return editsOfDocuments(set, path, name, (document) => metadataEdits(document, metadata, trial));
}

/** Of the array's own document of that name, and its copies. @throws RefscopeError `not-editable` */
export function editsOfDocuments(
  set: DocumentSet,
  path: string,
  name: ".zarray" | ".zattrs" | "zarr.json",
  change: DocumentChange,
): readonly TableEdit[] {
  const edits: TableEdit[] = [];
  for (const [key, { text }] of set.documents) {
    const steps = stepsTo(key, path, name);
    const edited = steps === undefined || text === undefined ? undefined : editedAt(text, steps, change);
    if (edited === undefined || edited === text) continue;
    refuseGenerated(set, key);
    edits.push({ kind: "set-reference", key, value: JSON.stringify(edited) });
  }
  return edits;
}

/** Members that lead from a document to the array's own; none where it is that, `undefined` where it cannot have one. */
function stepsTo(key: string, path: string, name: string): readonly string[] | undefined {
  const own = path === "" ? name : `${path}/${name}`;
  if (key === own) return [];
  const slash = key.lastIndexOf("/") + 1;
  const [prefix, document] = [key.slice(0, slash), key.slice(slash)];
  if (!own.startsWith(prefix)) return undefined;
  const rest = own.slice(prefix.length);
  if (document === ".zmetadata" && name !== "zarr.json") return ["metadata", rest];
  if (document !== "zarr.json" || name !== "zarr.json") return undefined;
  return ["consolidated_metadata", "metadata", rest.slice(0, -"/zarr.json".length)];
}

/** `undefined` where the document has none there. A member that is a text with JSON in it is edited inside. */
function editedAt(text: string, steps: readonly string[], change: DocumentChange): string | undefined {
  let node: JsonNode | undefined = rootOf(text);
  for (const [at, step] of steps.entries()) {
    if (isText(node)) return undefined;
    node = node?.kind === "object" ? node.members.findLast(({ key }) => key === step)?.node : undefined;
    if (isText(node) && at === steps.length - 1) return insideText(text, node, change);
  }
  return node?.kind === "object" ? applyTextEdits(text, change({ text, node })) : undefined;
}

type TextNode = JsonNode & { readonly kind: "scalar"; readonly value: string };

const isText = (node: JsonNode | undefined): node is TextNode =>
  node?.kind === "scalar" && typeof node.value === "string";

function insideText(text: string, node: TextNode, change: DocumentChange): string | undefined {
  const inside = editedAt(node.value, [], change);
  if (inside === undefined || inside === node.value) return inside === undefined ? undefined : text;
  const edit: TextEdit = { start: node.start, end: node.end, text: JSON.stringify(inside) };
  return applyTextEdits(text, [edit]);
}

/** Broken documents describe nothing; other findings say so. */
function rootOf(text: string): JsonNode | undefined {
  try {
    return parseJsonTree(text).root;
  } catch (error) {
    if (error instanceof RefscopeError) return undefined;
    throw error;
  }
}

function refuseGenerated({ document }: DocumentSet, key: string): void {
  const entry = document.metadata.find((one) => one.key === key);
  if (entry?.gen === undefined) return;
  throw failure("not-editable", keyAt(key), { problem: "generated", made: "document", references: 1 });
}

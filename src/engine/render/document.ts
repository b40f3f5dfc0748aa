/**
 * A whole document as fsspec opens it: every version rule, every value of `refs` as fsspec keeps it, and the exception
 * where it refuses the document. For the terminal; what the page shows is read by `formats/`.
 */
import { finding, type Finding, WHOLE_SET } from "../../core/findings/finding.ts";
import { FindingLog } from "../../core/findings/finding-log.ts";
import type { JsonNode } from "../../core/json/json.ts";
import { parseJsonTree } from "../../core/json/parse-json.ts";
import { Budget, valueOfJson } from "../../templates/index.ts";
import { str } from "../../templates/python/index.ts";
import { dictOf } from "./json-types.ts";
import { pythonJson } from "../../core/json/python-json.ts";
import { FsspecError, raisedBy, type Raised } from "./raised.ts";
import { renderVersion1, type DocumentOptions, type DocumentRefs } from "./document-version1.ts";

export type RenderedDocument =
  | (DocumentRefs & { readonly kind: "refs"; readonly findings: readonly Finding[] })
  | (Raised & { readonly kind: "error"; readonly findings: readonly Finding[] });

/** `text`: the JSON document. Never throws for errors in it. */
export function renderDocument(text: string, options: DocumentOptions = {}): RenderedDocument {
  const log = new FindingLog();
  try {
    const refs = render(parsed(text), options, log);
    return { kind: "refs", ...refs, findings: log.list() };
  } catch (error) {
    return { kind: "error", ...raisedBy(error), findings: log.list() };
  }
}

function parsed(text: string): JsonNode {
  const { root, oddities } = parseJsonTree(text);
  const refused = oddities.find(({ code }) => code === "trailing-comma" || code === "byte-order-mark");
  if (refused === undefined) return root;
  const { line, column } = refused.position;
  const found =
    refused.code === "trailing-comma" ? `A comma before “${refused.written}”` : "A byte order mark (U+FEFF)";
  throw new FsspecError("JSONDecodeError", `${found} at line ${line}, column ${column}, which JSON does not allow`);
}

function render(root: JsonNode, options: DocumentOptions, log: FindingLog): DocumentRefs {
  const members = dictOf(root, "get");
  const version = members.get("version");
  if (version === undefined || isNull(version)) return renderVersion0(members, options, log);
  if (!isOne(version)) {
    const value = str(valueOfJson(version), new Budget());
    throw new FsspecError("ValueError", `Unknown reference spec version: ${value}`);
  }
  return renderVersion1(members, options, log);
}

const isNull = (node: JsonNode): boolean => node.kind === "scalar" && node.value === null;

/** `version == 1`, which `1.0` and `True` are too. */
const isOne = (node: JsonNode): boolean =>
  node.kind === "number" ? Number(node.text) === 1 : node.kind === "scalar" && node.value === true;

/** Version 0: every member is a reference; dicts become JSON text. */
function renderVersion0(
  members: ReadonlyMap<string, JsonNode>,
  options: DocumentOptions,
  log: FindingLog,
): DocumentRefs {
  if ((options.overrides?.size ?? 0) > 0) log.add(finding("overrides-ignored", WHOLE_SET, {}));
  const value = (node: JsonNode): string =>
    node.kind === "object" ? JSON.stringify(pythonJson(node)) : pythonJson(node, false);
  return {
    version: 0,
    size: members.size,
    refs: () => [...members].map(([key, node]) => [key, value(node)] as const).values(),
  };
}

/** Giving a template another text, as an edit of the document. */
import type { JsonMember, JsonNode } from "../../core/json.ts";
import { parseJsonTree } from "../../core/parse-json.ts";
import type { TextEdit } from "../../core/studio.ts";

export interface TemplateText {
  readonly name: string;
  readonly value: string;
}

const membersOf = (node: JsonNode | undefined): readonly JsonMember[] => (node?.kind === "object" ? node.members : []);

function memberOf(node: JsonNode | undefined, key: string): JsonNode | undefined {
  return membersOf(node).findLast((member) => member.key === key)?.node;
}

/** The templates of a document; none where it cannot be read. */
export function templatesIn(text: string): readonly TemplateText[] {
  return membersOf(memberOf(rootOf(text), "templates")).flatMap(({ key, node }) =>
    node.kind === "scalar" && typeof node.value === "string" ? [{ name: key, value: node.value }] : [],
  );
}

/** `undefined` where the document cannot be read, or is not an object. */
export function templateOverride(text: string, name: string, value: string): readonly TextEdit[] | undefined {
  const root = rootOf(text);
  if (root?.kind !== "object") return undefined;
  const written = JSON.stringify(value);
  const templates = memberOf(root, "templates");
  const there = memberOf(templates, name);
  if (there !== undefined) return [{ start: there.start, end: there.end, text: written }];
  const member = `${JSON.stringify(name)}: ${written}`;
  if (templates?.kind === "object") return [firstMember(templates, member)];
  return [firstMember(root, `"templates": {${member}}`)];
}

function firstMember(object: JsonNode, member: string): TextEdit {
  const at = object.start + 1;
  return { start: at, end: at, text: membersOf(object).length === 0 ? member : `${member}, ` };
}

function rootOf(text: string): JsonNode | undefined {
  try {
    return parseJsonTree(text).root;
  } catch {
    return undefined;
  }
}

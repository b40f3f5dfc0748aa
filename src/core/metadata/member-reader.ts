/** Members of a metadata document, with errors and findings that say where they are. */
import type { DocumentName } from "../findings/catalogue/formats/metadata.ts";
import { failure, finding, keyAt, nodeAt, RefscopeError } from "../findings/finding.ts";
import type { Code, FactsOf, Finding } from "../findings/finding.ts";
import { jsonFindings } from "../json/json-finding.ts";
import { describeJson, type JsonNode, type JsonObjectNode, type JsonValue } from "../json/json.ts";
import { type JsonTree, jsonValueOf, parseJsonTree, writeJson } from "../json/parse-json.ts";
import { cut } from "../words.ts";

export type MemberReader = ReturnType<typeof memberReader>;

/** The document of a node that is read. */
export interface ReadDocument {
  readonly path: string;
  readonly name: DocumentName;
}

export function memberReader(root: JsonObjectNode, findings: Finding[], { path, name }: ReadDocument) {
  const members = new Map(root.members.map((member) => [member.key, member.node]));
  const value = (key: string): JsonValue | undefined => {
    const node = members.get(key);
    return node === undefined ? undefined : jsonValueOf(node);
  };
  const note = <C extends Code>(code: C, pointer: string, facts: FactsOf<C>): void =>
    void findings.push(finding(code, nodeAt(path, pointer), facts));
  const invalid = (pointer: string, expected: string, found: JsonValue | undefined, belongsIn?: DocumentName) =>
    failure("metadata-invalid", nodeAt(path, pointer), {
      document: name,
      expected,
      found: found === undefined ? "nothing" : cut(writeJson(found), 80),
      belongsIn,
    });
  const noteFraction = (node: JsonNode | undefined, pointer: string): void => {
    if (node?.kind !== "number" || /^-?\d+$/.test(node.text)) return;
    note("integer-as-float", pointer, { written: node.text });
  };
  return {
    /** Names of the members, in the order of the text. */
    keys: [...members.keys()],
    /** The member as written in the text; of a repeated key the last. */
    node: (key: string): JsonNode | undefined => members.get(key),
    value,
    /** @throws RefscopeError `metadata-invalid` where the member is absent */
    required(key: string): JsonValue {
      const found = value(key);
      if (found === undefined) throw invalid(`/${key}`, `the member "${key}"`, found);
      return found;
    },
    /** `pointer` is an RFC 6901 JSON pointer. */
    note,
    /** Notes an integer written `10.0`, which Python takes for a float. */
    noteFraction,
    /** An error to throw. */
    invalid,
    /** @throws RefscopeError `metadata-invalid` where the document is of another format; `other` is the name of those of the other */
    requireFormat(format: 2 | 3, other: DocumentName): void {
      const found = value("zarr_format");
      const belongsIn = found === (format === 2 ? 3 : 2) ? other : undefined;
      if (found !== format) throw invalid("/zarr_format", `${format}`, found, belongsIn);
      noteFraction(members.get("zarr_format"), "/zarr_format");
    },
    /** @throws RefscopeError `metadata-invalid` where it is not a list, or has more than `most` items; `what`: "codecs" */
    list(pointer: string, found: JsonValue, what: string, most: number, expected = `a list of ${what}`) {
      if (!Array.isArray(found)) throw invalid(pointer, expected, found);
      const items = found as readonly JsonValue[];
      if (items.length > most) throw invalid(pointer, `at most ${most} ${what}`, items.length);
      return items;
    },
    /** An error of another code to throw. */
    failure: <C extends Code>(code: C, pointer: string, facts: FactsOf<C>): RefscopeError =>
      failure(code, nodeAt(path, pointer), facts),
  };
}

// The text of a metadata document as a tree.

/**
 * @param findings takes what is odd about the text
 * @throws RefscopeError `metadata-invalid` where the text is not a JSON object, or `json-too-deep`
 */
export function metadataRoot(text: string, findings: Finding[], document: ReadDocument): JsonObjectNode {
  const { root, oddities } = readTree(text, document);
  const { path, name } = document;
  findings.push(...jsonFindings(oddities, keyAt(path === "" ? name : `${path}/${name}`)));
  if (root.kind === "object") return root;
  const found = root.kind === "array" ? "an array" : describeJson(jsonValueOf(root));
  throw failure("metadata-invalid", nodeAt(path), { document: name, expected: "an object", found });
}

function readTree(text: string, { path, name }: ReadDocument): JsonTree {
  try {
    return parseJsonTree(text);
  } catch (error) {
    if (!(error instanceof RefscopeError) || error.code !== "json-invalid") throw error;
    const facts = error.finding?.facts as FactsOf<"json-invalid">;
    throw failure("metadata-invalid", nodeAt(path), { document: name, ...facts }, { cause: error });
  }
}

/** The text of a metadata document as a tree. */
import { RefscopeError } from "../errors.ts";
import type { FactsOf, Finding } from "../findings/finding.ts";
import { failure } from "../findings/failure.ts";
import { keyAt, nodeAt } from "../findings/place.ts";
import { jsonFindings } from "../json/json-finding.ts";
import { describeJson, type JsonObjectNode } from "../json/json.ts";
import type { ReadDocument } from "./member-reader.ts";
import { jsonValueOf, parseJsonTree, type JsonTree } from "../json/parse-json.ts";

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

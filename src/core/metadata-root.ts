/** The text of an array's metadata document as a tree. */
import { RefscopeError } from "./errors.ts";
import type { Finding } from "./finding.ts";
import { jsonFindings } from "./json-finding.ts";
import type { JsonNode, JsonObjectNode } from "./json.ts";
import { parseJsonTree } from "./parse-json.ts";

export const METADATA_INVALID = { code: "metadata-invalid", doing: "Reading array metadata" };

/**
 * @param findings takes what is odd about the text
 * @throws RefscopeError `metadata-invalid` where the text is no JSON object
 */
export function metadataRoot(text: string, findings: Finding[]): JsonObjectNode {
  const { root, oddities } = readTree(text);
  findings.push(...jsonFindings(oddities));
  if (root.kind === "object") return root;
  throw new RefscopeError({
    ...METADATA_INVALID,
    where: "the whole document",
    expected: "an object",
    found: kindOf(root),
  });
}

function readTree(text: string): ReturnType<typeof parseJsonTree> {
  try {
    return parseJsonTree(text, METADATA_INVALID.doing);
  } catch (error) {
    if (error instanceof RefscopeError)
      throw new RefscopeError({ ...error.fields, code: METADATA_INVALID.code }, { cause: error });
    throw error;
  }
}

function kindOf(node: JsonNode): string {
  if (node.kind === "array") return "an array";
  return node.kind === "number" ? "a number" : "a plain value";
}

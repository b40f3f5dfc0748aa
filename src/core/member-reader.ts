/** Members of a metadata document, with errors and findings that say where they stand. */
import { RefscopeError } from "./errors.ts";
import type { Finding, Severity } from "./finding.ts";
import { writeJson } from "./json-write.ts";
import type { JsonNode, JsonObjectNode, JsonValue } from "./json.ts";
import { jsonValueOf } from "./parse-json.ts";

export interface MemberReader {
  /** Names of the members, in the order of the text. */
  readonly keys: readonly string[];
  /** The member as it stands in the text; of a repeated key the last. */
  node(key: string): JsonNode | undefined;
  value(key: string): JsonValue | undefined;
  /** @throws RefscopeError `metadata-invalid` where the member is absent */
  required(key: string): JsonValue;
  note(code: string, severity: Severity, message: string): void;
  /** Notes an integer written `10.0`, which Python takes for a float. */
  noteFraction(node: JsonNode | undefined, pointer: string): void;
  /** An error to throw; `pointer` is an RFC 6901 JSON pointer. */
  invalid(pointer: string, expected: string, found: JsonValue | undefined, advice?: string): RefscopeError;
}

/** `advice` goes with errors that bring none of their own. */
export function memberReader(
  root: JsonObjectNode,
  findings: Finding[],
  advice = "Correct the array's .zarray.",
): MemberReader {
  const invalid: MemberReader["invalid"] = (pointer, expected, found, own = advice) =>
    invalidMember(pointer, expected, found, own);
  const members = new Map(root.members.map((member) => [member.key, member.node]));
  const value = (key: string): JsonValue | undefined => {
    const node = members.get(key);
    return node === undefined ? undefined : jsonValueOf(node);
  };
  const note = (code: string, severity: Severity, message: string): void => {
    findings.push({ code, severity, message });
  };
  return {
    keys: [...members.keys()],
    node: (key) => members.get(key),
    value,
    required(key) {
      const found = value(key);
      if (found === undefined) throw invalid(`/${key}`, `the member "${key}"`, found);
      return found;
    },
    note,
    noteFraction(node, pointer) {
      if (node?.kind !== "number" || /^-?\d+$/.test(node.text)) return;
      note(
        "integer-as-float",
        "warning",
        `${pointer} is written ${node.text} where an integer belongs; zarr-python may refuse it.`,
      );
    },
    invalid,
  };
}

function invalidMember(pointer: string, expected: string, found: JsonValue | undefined, advice: string): RefscopeError {
  const written = found === undefined ? "nothing" : shortened(writeJson(found));
  return new RefscopeError({
    code: "metadata-invalid",
    doing: "Reading array metadata",
    where: pointer,
    expected,
    found: written,
    advice,
  });
}

function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

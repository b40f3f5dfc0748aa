/** What is wrong with a text as JSON, and with its outer form as a Version 1 document. */
import { RefscopeError } from "../../core/errors.ts";
import { WHOLE_SET } from "../../core/findings/place.ts";
import { jsonFindings } from "../../core/json-finding.ts";
import type { JsonMember, JsonNode, JsonOddity } from "../../core/json.ts";
import { describeJson } from "../../core/json.ts";
import { jsonErrorPosition, jsonValueOf, parseJsonTree } from "../../core/parse-json.ts";
import type { Diagnostic } from "../../core/studio.ts";
import { diagnosticLog, type DiagnosticLog } from "./diagnostic-log.ts";
import { memberOf, type EditedText } from "./edited-text.ts";

/** The one diagnostic of a text that cannot be read. */
export function unreadable(text: string, error: unknown): readonly Diagnostic[] {
  const log = diagnosticLog(text);
  const start = Math.min(jsonErrorPosition(error)?.offset ?? 0, text.length);
  const empty = text.trim() === "";
  const found = error instanceof RefscopeError ? error.message : String(error);
  log.add({
    code: empty ? "document-empty" : error instanceof RefscopeError ? error.code : "json-invalid",
    severity: "error",
    start,
    end: Math.min(text.length, start + 1),
    message: empty ? "The document is empty: a JSON object is expected." : found,
    advice: empty ? 'Write {"version": 1, "refs": {}} to begin with.' : undefined,
  });
  return log.list();
}

const ODDITIES: Readonly<Record<JsonOddity["code"], Diagnostic["severity"]>> = {
  "duplicate-key": "warning",
  "not-finite": "warning",
  "number-overflow": "warning",
  "trailing-comma": "error",
  "byte-order-mark": "warning",
};

export function noteOddities(log: DiagnosticLog, text: string, oddities: readonly JsonOddity[]): void {
  for (const oddity of oddities) {
    const { code, position } = oddity;
    const start = position.offset;
    const written = /^(?:"(?:[^"\\]|\\.)*"|-?\w+|.)/s.exec(text.slice(start, start + 200))?.[0] ?? "";
    log.add({
      code: code === "duplicate-key" ? code : `json-${code}`,
      severity: ODDITIES[code],
      start,
      end: start + Math.max(1, written.length),
      message: jsonFindings([oddity], WHOLE_SET)[0]?.message ?? "",
      ...toldBy(code, written),
    });
  }
}

/** The document's reader has codes of its own for the same. */
const FINDINGS: ReadonlyMap<JsonOddity["code"], string> = new Map([
  ["not-finite", "json-nan"],
  ["byte-order-mark", "json-bom"],
]);

function toldBy(code: JsonOddity["code"], written: string): Pick<Diagnostic, "tells"> {
  const finding = FINDINGS.get(code);
  if (finding !== undefined) return { tells: { code: finding } };
  if (code !== "duplicate-key" || written.length < 2) return {};
  const key = jsonValueOf(parseJsonTree(written).root);
  return typeof key === "string" ? { tells: { code, key } } : {};
}

export function noteForm(log: DiagnosticLog, document: EditedText): void {
  const { root, version } = document;
  if (root.kind !== "object") {
    noteNode(log, "document-not-object", root, `The document is ${kindOf(root)}; a JSON object is expected.`);
    return;
  }
  if (version === 0) return noteVersion0(log, document);
  noteVersion(log, memberOf(root, "version"));
  const expected = [
    ["templates", "object"],
    ["gen", "array"],
    ["refs", "object"],
  ] as const;
  for (const [name, kind] of expected) {
    const member = memberOf(root, name);
    if (member === undefined || member.node.kind === kind) continue;
    const should = kind === "array" ? "a list" : "an object";
    const message = `“${name}” is ${kindOf(member.node)}; ${should} is expected, and fsspec raises.`;
    noteNode(log, `${name}-malformed`, member.node, message);
  }
}

function noteVersion(log: DiagnosticLog, member: JsonMember | undefined): void {
  const value = member === undefined ? undefined : jsonValueOf(member.node);
  if (member === undefined || value === 1 || value === true) return;
  const { start, end } = member.node;
  log.add({
    code: "version-unknown",
    severity: "error",
    start,
    end,
    message: "Only version 1 is known: fsspec raises ValueError on any other, also on the text “1”.",
    fix: { title: "Set version to 1", edits: [{ start, end, text: "1" }] },
  });
}

/** Without a version, `refs` is a key like any other. */
function noteVersion0(log: DiagnosticLog, { root }: EditedText): void {
  const refs = memberOf(root, "refs");
  if (refs?.node.kind !== "object") return;
  const at = root.start + 1;
  log.add({
    code: "version-missing",
    severity: "error",
    start: refs.keyStart,
    end: refs.keyEnd,
    message:
      "The document has “refs” but no “version”: fsspec takes it for Version 0, in which “refs” is a key like any other.",
    fix: { title: 'Add "version": 1', edits: [{ start: at, end: at, text: '"version": 1, ' }] },
  });
}

const kindOf = (node: JsonNode): string => describeJson(node.kind === "scalar" ? node.value : jsonValueOf(node));

function noteNode(log: DiagnosticLog, code: string, { start, end }: JsonNode, message: string): void {
  log.add({ code, severity: "error", start, end, message });
}

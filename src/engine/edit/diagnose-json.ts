/** What is wrong with a text as JSON, and with its outer form as a Version 1 document. */
import { findingOfError } from "../../core/findings/failure.ts";
import { causeOf } from "../../core/findings/cause.ts";
import { keyAt, WHOLE_SET } from "../../core/findings/place.ts";
import type { JsonMember, JsonNode, JsonOddity } from "../../core/json.ts";
import { describeJson } from "../../core/json.ts";
import { jsonErrorPosition, jsonValueOf, parseJsonTree } from "../../core/parse-json.ts";
import type { Diagnostic } from "../../core/studio.ts";
import { diagnosticLog, type DiagnosticLog, type Span } from "./diagnostic-log.ts";
import { memberOf, type EditedText } from "./edited-text.ts";

/** The one finding of a text that cannot be read. */
export function unreadable(text: string, error: unknown): readonly Diagnostic[] {
  const log = diagnosticLog(text);
  const start = Math.min(jsonErrorPosition(error)?.offset ?? 0, text.length);
  const at = { start, end: Math.min(text.length, start + 1) };
  if (text.trim() === "") log.add("document-empty", at, {});
  else log.move(findingOfError(error, "Reading the document"), at);
  return log.list();
}

export function noteOddities(log: DiagnosticLog, text: string, oddities: readonly JsonOddity[]): void {
  for (const { code, position } of oddities) {
    const start = position.offset;
    const written = /^(?:"(?:[^"\\]|\\.)*"|-?\w+|.)/s.exec(text.slice(start, start + 200))?.[0] ?? "";
    noteOddity(log, code, { start, end: start + Math.max(1, written.length) }, written);
  }
}

function noteOddity(log: DiagnosticLog, code: JsonOddity["code"], at: Span, written: string): void {
  switch (code) {
    case "duplicate-key":
      log.add("duplicate-key", at, {}, { covers: repeated(written) });
      return;
    case "not-finite":
      log.add("json-nan", at, {});
      return;
    case "number-overflow":
      log.add("json-number-overflow", at, { written });
      return;
    case "trailing-comma":
      log.add("json-trailing-comma", at, {});
      return;
    case "byte-order-mark":
      log.add("json-bom", at, {});
  }
}

/** `written`: the key as JSON text; cut where it is long. */
function repeated(written: string): readonly string[] {
  if (!/^".*"$/s.test(written) || written.length < 2) return [];
  const key = jsonValueOf(parseJsonTree(written).root);
  return typeof key === "string" ? [causeOf({ code: "duplicate-key", place: keyAt(key), facts: {} })] : [];
}

export function noteForm(log: DiagnosticLog, document: EditedText): void {
  const { root, version } = document;
  if (root.kind !== "object") {
    log.add("document-not-object", root, { found: kindOf(root) });
    return;
  }
  if (version === 0) return noteVersion0(log, document);
  noteVersion(log, document.text, memberOf(root, "version"));
  for (const [name, kind] of FORMS) {
    const member = memberOf(root, name);
    if (member === undefined || member.node.kind === kind) continue;
    const covers = name === "refs" ? [causeOf({ code: "refs-not-object", place: WHOLE_SET, facts: {} })] : [];
    log.add(`${name}-malformed`, member.node, { found: kindOf(member.node) }, { covers });
  }
}

const FORMS = [
  ["templates", "object"],
  ["gen", "array"],
  ["refs", "object"],
] as const;

function noteVersion(log: DiagnosticLog, text: string, member: JsonMember | undefined): void {
  const value = member === undefined ? undefined : jsonValueOf(member.node);
  if (member === undefined || value === 1 || value === true) return;
  const { start, end } = member.node;
  const fix = { title: "Set version to 1", edits: [{ start, end, text: "1" }] };
  log.add(
    "version-unknown",
    member.node,
    { version: text.slice(start, Math.min(end, start + 60)), raises: "ValueError" },
    { fix },
  );
}

/** Without a version, `refs` is a key like any other. */
function noteVersion0(log: DiagnosticLog, { root }: EditedText): void {
  const refs = memberOf(root, "refs");
  if (refs?.node.kind !== "object") return;
  const at = root.start + 1;
  const fix = { title: 'Add "version": 1', edits: [{ start: at, end: at, text: '"version": 1, ' }] };
  const covers = [causeOf({ code: "version-missing", place: keyAt("refs"), facts: {} })];
  log.add("version-missing", { start: refs.keyStart, end: refs.keyEnd }, {}, { fix, covers });
}

const kindOf = (node: JsonNode): string => describeJson(node.kind === "scalar" ? node.value : jsonValueOf(node));

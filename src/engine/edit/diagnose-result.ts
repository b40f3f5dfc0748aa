/** What rendering gave, at the places in the text that made it: faults of gens and URLs, keys that fit nothing. */
import type { Finding } from "../../core/finding.ts";
import type { JsonNode } from "../../core/json.ts";
import { BLOCK_ROWS } from "../../core/reference-table.ts";
import type { DocumentSet } from "../engine-set.ts";
import type { Gen } from "../render/gen.ts";
import type { DiagnosticLog, NewDiagnostic } from "./diagnostic-log.ts";
import { placeInText } from "./diagnose-templates.ts";
import { GEN_FIELDS, memberOf, stringOf, templateStringAt, type EditedText, type GenField } from "./edited-text.ts";
import { evaluationOf, integerOf, isNumberField, renderSource, variablesText } from "./evaluation.ts";
import { placeOfKey } from "./row-place.ts";
import { keyOfRow, documentIndex } from "./document-index.ts";
import type { UndefinedName, UndefinedNames } from "./undefined-names.ts";

/** Findings that the text's own diagnostics tell better, or that are of no place in it. */
const TOLD_ELSEWHERE = new Set([
  "argument-missing",
  "chunks-missing",
  "duplicate-key",
  "json-bom",
  "json-nan",
  "json-trailing-comma",
  "name-undefined",
  "no-arrays",
  "no-chunks",
  "set-refused",
  "target-null",
  "version-missing",
  "version-unknown",
]);
const NAMES: ReadonlyMap<string, string> = new Map([
  ["key-outside-grid", "key-fits-no-array"],
  ["key-wrong-rank", "key-fits-no-array"],
  ["key-without-array", "key-fits-no-array"],
  ["key-not-a-chunk", "key-fits-no-array"],
  ["reference-offset-negative", "offset-negative"],
  ["reference-length-negative", "offset-negative"],
  ["reference-offset-too-large", "offset-absurd"],
  ["reference-length-too-large", "offset-absurd"],
]);

export function noteResult(log: DiagnosticLog, set: DocumentSet, document: EditedText, names: UndefinedNames): void {
  const failed = new Set<number>();
  for (const finding of set.findings) {
    const gen = /\bgen\[(\d+)\]/.exec(finding.message)?.[1];
    if (finding.code === "gen-fails" && gen !== undefined) failed.add(Number(gen));
    if (!TOLD_ELSEWHERE.has(finding.code)) notePlaced(log, set, document, finding, names);
  }
  for (const gen of failed) noteFailure(log, document, gen, names);
  noteAbsurdOffset(log, set, document);
}

type Place = Pick<NewDiagnostic, "start" | "end">;

function notePlaced(
  log: DiagnosticLog,
  set: DocumentSet,
  document: EditedText,
  finding: Finding,
  names: UndefinedNames,
): void {
  // Placed more exactly by `noteFailure`.
  if (finding.code === "gen-fails" && /\bgen\[\d+\]/.test(finding.message)) return;
  const place = placeOfFinding(set, document, finding);
  if (place === undefined) return;
  if (finding.code === "url-fails" && isUndefinedName(document, place, names)) return;
  const { code, severity, message, advice, count, array, key, target } = finding;
  const times = count === undefined || count === 1 ? "" : ` (${count.toLocaleString("en")} times; this is the first)`;
  const subject = key === undefined ? "" : `${key}: `;
  const tells = {
    code,
    ...(array === undefined ? {} : { array }),
    ...(key === undefined ? {} : { key }),
    ...(target === undefined ? {} : { target }),
  };
  log.add({
    code: NAMES.get(code) ?? code,
    severity,
    ...place,
    message: `${subject}${message}${times}`,
    advice,
    tells,
  });
}

function placeOfFinding(
  set: DocumentSet,
  document: EditedText,
  { key, target, message, code }: Finding,
): Place | undefined {
  if (key !== undefined) return placeOfKey(documentIndex(set), document, key);
  const [, gen, field] = /\bgen\[(\d+)\](?:\.(key|url|offset|length)\b)?/.exec(message) ?? [];
  if (gen !== undefined) return genPlace(document, Number(gen), field as GenField | undefined);
  if (code.startsWith("gen")) return memberPlace(document, "gen");
  const name = /template “([^”]*)”/.exec(message)?.[1];
  const template = document.templates?.members.findLast((member) => member.key === name);
  if (template !== undefined) return template.node;
  if (code === "template-fails") return memberPlace(document, "templates");
  return target === undefined ? undefined : urlPlace(document, target);
}

const isUndefined = (error: string): boolean => error.startsWith("UndefinedError:");

/** Every fault of one undefined name is one finding, which is the name's. */
function isCause(name: UndefinedName | undefined): boolean {
  if (name !== undefined) name.refuses = true;
  return name !== undefined;
}

/** Rendered once more, for the very place in the URL at which Python raises. */
function isUndefinedName(document: EditedText, { start }: Place, names: UndefinedNames): boolean {
  const string = templateStringAt(document, start + 1);
  if (string === undefined) return false;
  const rendered = renderSource(string.value, evaluationOf(document), new Map());
  if (rendered.kind !== "fault" || !isUndefined(rendered.error)) return false;
  return isCause(names.within(placeInText(document, string, rendered.span)));
}

function memberPlace({ root }: EditedText, name: string): Place | undefined {
  const member = memberOf(root, name);
  return member === undefined ? undefined : { start: member.keyStart, end: member.keyEnd };
}

function genPlace({ gen }: EditedText, index: number, field: GenField | undefined): Place | undefined {
  const entry = gen?.items[index];
  const member = field === undefined ? undefined : memberOf(entry, field)?.node;
  return member ?? (entry === undefined ? undefined : headOf(entry));
}

/** An entry of many lines is not underlined as a whole: its key, else its first character. */
export function headOf(entry: JsonNode): Place {
  return memberOf(entry, "key")?.node ?? { start: entry.start, end: Math.min(entry.start + 1, entry.end) };
}

/** URLs as they were rendered before; a target that is not written anywhere has no place. */
function urlPlace({ refs }: EditedText, target: string): Place | undefined {
  for (const { node } of refs?.members ?? []) {
    const url = node.kind === "array" ? node.items[0] : undefined;
    if (url !== undefined && stringOf(url) === target) return url;
  }
  return undefined;
}

/** Entries looked at to find the one that fails. */
const MAX_TRIED = 20_000;

/** The field, the values and the very place in the template at which fsspec raises. */
function noteFailure(log: DiagnosticLog, document: EditedText, index: number, names: UndefinedNames): void {
  const evaluation = evaluationOf(document);
  const gen = evaluation.gens[index];
  const entry = document.gen?.items[index];
  if (gen === undefined || entry === undefined) return;
  if (gen.fault !== undefined) {
    const { error } = asFault(gen.fault);
    const dimensions = memberOf(entry, "dimensions");
    const place = dimensions === undefined ? headOf(entry) : { start: dimensions.keyStart, end: dimensions.keyEnd };
    log.add({ code: "gen-fails", severity: "error", ...place, message: `${error}. fsspec refuses the whole set.` });
    return;
  }
  const number = failingNumber(gen);
  const values = gen.count > 0n ? gen.variables(number) : new Map();
  for (const field of GEN_FIELDS) {
    const node = memberOf(entry, field)?.node;
    const source = stringOf(node);
    const place = node === undefined ? undefined : templateStringAt(document, node.start + 1);
    if (node === undefined || source === undefined || place === undefined) continue;
    const rendered = renderSource(source, evaluation, values);
    const where = variablesText(gen, number);
    const told = where === "" ? "" : ` for ${where}`;
    if (rendered.kind === "fault") {
      const at = placeInText(document, place, rendered.span);
      if (isUndefined(rendered.error) && isCause(names.within(at))) return;
      const message = `${rendered.error}${told}. fsspec refuses the whole set.`;
      log.add({ code: "gen-fails", severity: "error", ...at, message });
      return;
    }
    const integer = isNumberField(field) ? integerOf(rendered.text) : { value: "" };
    if ("value" in integer) continue;
    const shown = JSON.stringify(rendered.text.slice(0, 80));
    const advice = /^-?\d+\.\d*$/.test(rendered.text) ? "Divide with // instead of /, or add | int." : undefined;
    const message = `“${field}” renders to ${shown}${told}, which is no integer (${integer.error}). fsspec refuses the whole set.`;
    log.add({ code: "not-an-integer", severity: "error", ...placeInText(document, place, undefined), message, advice });
    return;
  }
  log.add({
    code: "gen-fails",
    severity: "error",
    ...headOf(entry),
    message: "fsspec raises while it makes the references of this gen.",
  });
}

function asFault(fault: unknown): { readonly error: string } {
  return {
    error:
      fault instanceof Error
        ? `${"python" in fault ? String(fault.python) : fault.name}: ${fault.message}`.replace(/\.$/, "")
        : String(fault),
  };
}

function failingNumber(gen: Gen): number {
  const end = Math.min(Number(gen.count), MAX_TRIED);
  for (let number = 0; number < end; number += 1) {
    try {
      gen.entry(number);
    } catch {
      return number;
    }
  }
  return Math.max(0, Math.min(Number(gen.count) - 1, MAX_TRIED));
}

/** 1 PB: no file is so large, though the number fits. */
const ABSURD = 2 ** 50;

function noteAbsurdOffset(log: DiagnosticLog, set: DocumentSet, document: EditedText): void {
  const { table } = set;
  let count = 0;
  let first = -1;
  for (const [at, { target, offset }] of table.blocks.entries()) {
    const used = Math.min(BLOCK_ROWS, table.rows - at * BLOCK_ROWS);
    for (let i = 0; i < used; i += 1) {
      if ((offset[i] as number) < ABSURD || (target[i] as number) >= table.targets.count) continue;
      count += 1;
      if (first < 0) first = at * BLOCK_ROWS + i;
    }
  }
  if (first < 0) return;
  const key = keyOfRow(set, first);
  const place = placeOfKey(documentIndex(set), document, key);
  const more = count === 1 ? "" : ` So are ${(count - 1).toLocaleString("en")} more.`;
  const message = `${key}: the offset is beyond 1 PB, where no file reaches.${more}`;
  if (place !== undefined) log.add({ code: "offset-absurd", severity: "warning", ...place, message });
}

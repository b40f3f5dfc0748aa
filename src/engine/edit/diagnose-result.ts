/** What rendering gave, at the places in the text that made it: errors in gens and URLs, keys that fit nothing. */
import { causeOf } from "../../core/findings/cause.ts";
import type { FactsOf, Finding } from "../../core/findings/finding.ts";
import type { GenField as PlaceField } from "../../core/findings/place.ts";
import type { JsonNode } from "../../core/json.ts";
import { BLOCK_ROWS } from "../../core/reference-table.ts";
import type { DocumentSet } from "../engine-set.ts";
import type { Gen } from "../render/gen.ts";
import type { Raised } from "../render/raised.ts";
import { factsOf, raisedFacts } from "../render/render-findings.ts";
import type { DiagnosticLog, Span } from "./diagnostic-log.ts";
import { placeInText } from "./diagnose-templates.ts";
import { GEN_FIELDS, memberOf, stringOf, templateStringAt, type EditedText } from "./edited-text.ts";
import { evaluationOf, integerOf, isNumberField, renderSource, shownVariables } from "./evaluation.ts";
import { placeOfKey } from "./row-place.ts";
import { keyOfRow, documentIndex } from "./document-index.ts";
import type { UndefinedName, UndefinedNames } from "./undefined-names.ts";

export function noteResult(log: DiagnosticLog, set: DocumentSet, document: EditedText, names: UndefinedNames): void {
  const result = { log, set, document, names };
  for (const finding of set.findings) noteFinding(result, finding);
  noteAbsurdOffset(log, set, document);
}

interface Result {
  readonly log: DiagnosticLog;
  readonly set: DocumentSet;
  readonly document: EditedText;
  readonly names: UndefinedNames;
}

/** Each cause once: findings in the text itself are not repeated. */
function noteFinding(result: Result, finding: Finding): void {
  const { log, names } = result;
  const { code, facts } = finding;
  if (log.covers(finding)) return;
  if (code === "name-undefined") {
    names.get((facts as FactsOf<"name-undefined">).name)?.covers.push(causeOf(finding));
    return;
  }
  const { place } = finding;
  if (code === "gen-fails" && place?.kind === "gen") {
    for (const one of finding.places ?? [place]) if (one.kind === "gen") noteFailure(result, finding, one.index);
    return;
  }
  const at = placeOfFinding(result, finding);
  if (at === undefined) return;
  if (code === "url-fails" && isUndefinedName(result, at, finding)) return;
  log.move(finding, at);
}

/** Absent where it is of no place in the text. */
function placeOfFinding({ set, document }: Result, { place, facts }: Finding): Span | undefined {
  if (place?.kind === "key") return placeOfKey(documentIndex(set), document, place.key);
  if (place?.kind === "gen") return genPlace(document, place.index, place.field);
  if (place?.kind === "target") return urlPlace(document, place.target);
  const { member, name = facts["template"] } = facts;
  const template = document.templates?.members.findLast(({ key }) => key === name);
  if (template !== undefined) return template.node;
  return typeof member === "string" ? memberPlace(document, member) : undefined;
}

const isUndefined = ({ python }: Raised): boolean => python === "UndefinedError";

/** All errors of one undefined name, and the set's own, are one finding: the name's. */
function isCause(name: UndefinedName | undefined, { set }: Result, finding: Finding): boolean {
  if (name === undefined) return false;
  name.refuses = true;
  const refused = set.findings.find(({ code }) => code === "set-refused");
  for (const one of [finding, refused]) if (one !== undefined) name.covers.push(causeOf(one));
  return true;
}

/** Rendered once more, for the very place in the URL at which Python raises. */
function isUndefinedName(result: Result, { start }: Span, finding: Finding): boolean {
  const { document, names } = result;
  const string = templateStringAt(document, start + 1);
  if (string === undefined) return false;
  const rendered = renderSource(string.value, evaluationOf(document), new Map());
  if (rendered.kind !== "fault" || !isUndefined(rendered.raised)) return false;
  return isCause(names.within(placeInText(document, string, rendered.span)), result, finding);
}

function memberPlace({ root }: EditedText, name: string): Span | undefined {
  const member = memberOf(root, name);
  return member === undefined ? undefined : { start: member.keyStart, end: member.keyEnd };
}

function genPlace({ gen }: EditedText, index: number, field: PlaceField | undefined): Span | undefined {
  const entry = gen?.items[index];
  const member = field === undefined ? undefined : memberOf(entry, field)?.node;
  return member ?? (entry === undefined ? undefined : headOf(entry));
}

/** An entry of many lines is not underlined as a whole: its key, else its first character. */
export function headOf(entry: JsonNode): Span {
  return memberOf(entry, "key")?.node ?? { start: entry.start, end: Math.min(entry.start + 1, entry.end) };
}

/** URLs as they were rendered before; a target that is not written anywhere has no place. */
function urlPlace({ refs }: EditedText, target: string): Span | undefined {
  for (const { node } of refs?.members ?? []) {
    const url = node.kind === "array" ? node.items[0] : undefined;
    if (url !== undefined && stringOf(url) === target) return url;
  }
  return undefined;
}

/** Entries looked at to find the one that fails. */
const MAX_TRIED = 20_000;

/** The field, the values and the very place in the template at which fsspec raises. */
function noteFailure(result: Result, finding: Finding, index: number): void {
  const { log, document, names } = result;
  const evaluation = evaluationOf(document);
  const gen = evaluation.gens[index];
  const entry = document.gen?.items[index];
  if (gen === undefined || entry === undefined) return;
  const covers = [causeOf(finding)];
  if (gen.fault !== undefined) {
    const dimensions = memberOf(entry, "dimensions");
    const at = dimensions === undefined ? headOf(entry) : { start: dimensions.keyStart, end: dimensions.keyEnd };
    log.add("gen-fails", at, { ...raisedFacts(gen.fault), variables: [] }, { covers });
    return;
  }
  const number = failingNumber(gen);
  const values = gen.count > 0n ? gen.variables(number) : new Map();
  const variables = shownVariables(gen, number);
  for (const field of GEN_FIELDS) {
    const node = memberOf(entry, field)?.node;
    const source = stringOf(node);
    const place = node === undefined ? undefined : templateStringAt(document, node.start + 1);
    if (node === undefined || source === undefined || place === undefined) continue;
    const rendered = renderSource(source, evaluation, values);
    if (rendered.kind === "fault") {
      const at = placeInText(document, place, rendered.span);
      if (isUndefined(rendered.raised) && isCause(names.within(at), result, finding)) return;
      log.add("gen-fails", at, { ...factsOf(rendered.raised), variables }, { covers });
      return;
    }
    const integer = isNumberField(field) ? integerOf(rendered.text) : { value: "" };
    if ("value" in integer) continue;
    const facts = { ...factsOf(integer.raised), field, rendered: rendered.text.slice(0, 81), variables };
    log.add("not-an-integer", placeInText(document, place, undefined), facts, { covers });
    return;
  }
  log.move(finding, headOf(entry));
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
  const { offset } = table.blocks[Math.floor(first / BLOCK_ROWS)] ?? { offset: [] };
  const written = String(offset[first % BLOCK_ROWS]);
  if (place !== undefined) log.add("offset-absurd", place, { written }, { count });
}

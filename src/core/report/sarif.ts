/** A report as SARIF 2.1.0 (OASIS), which code hosts show beside the files of a change. */
import { lookup3 } from "../lookup3.ts";
import { codeAddress } from "../version.ts";
import { withoutSecrets } from "../words/without-secrets.ts";
import type { CheckFinding, KnownFinding, ReportedFindings } from "./report.ts";

const LEVELS = { error: "error", warning: "warning", info: "note" } as const;

export interface ReportedSet {
  /** The set, as it was given: a path or a URL. */
  readonly name: string;
  readonly report: ReportedFindings;
}

/** Title of a code, whatever its facts; absent = that of its first finding. */
type TitleOf = (code: string) => string | undefined;

/** One run over all sets. `helpOf`: what to do about a code in general. */
export function sarifReport(
  sets: readonly ReportedSet[],
  version: string,
  titleOf: TitleOf = () => undefined,
  helpOf: TitleOf = () => undefined,
): object {
  return cleared(sarifLog(sets, version, { titleOf, helpOf })) as object;
}

interface RuleWords {
  readonly titleOf: TitleOf;
  readonly helpOf: TitleOf;
}

/** Nothing in it gives access to anything. */
function cleared(value: unknown): unknown {
  if (typeof value === "string") return withoutSecrets(value);
  if (Array.isArray(value)) return value.map(cleared);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cleared(member)]));
}

function sarifLog(sets: readonly ReportedSet[], version: string, words: RuleWords): object {
  const rules = new Map<string, CheckFinding>();
  const printOf = fingerprints();
  for (const { report } of sets)
    for (const found of [...report.findings, ...(report.accepted ?? [])])
      if (!rules.has(found.code)) rules.set(found.code, found);
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: { name: "Refscope", version, rules: [...rules.values()].map((found) => ruleOf(found, words)) },
        },
        results: sets.flatMap(({ name, report: { findings, accepted = [] } }) => [
          ...findings.map((found) => resultOf(name, found, printOf)),
          ...accepted.map((known) => suppressed(name, known, printOf)),
        ]),
      },
    ],
  };
}

function ruleOf({ code, cause, severity }: CheckFinding, { titleOf, helpOf }: RuleWords): object {
  const help = [helpOf(code) ?? "", `More: refscope explain ${code}`].join("\n").trim();
  const address = codeAddress(code);
  const title = { text: plainText(titleOf(code) ?? cause) };
  return {
    id: code,
    shortDescription: title,
    fullDescription: title,
    help: { text: plainText(help) },
    ...(address === undefined ? {} : { helpUri: address }),
    defaultConfiguration: { level: LEVELS[severity] },
    properties: { "problem.severity": severity === "info" ? "recommendation" : severity },
  };
}

/** SARIF §3.35: a person decided, outside of the source, that it is to be left as it is. */
const suppressed = (name: string, known: KnownFinding, printOf: PrintOf): object => ({
  ...resultOf(name, known, printOf),
  suppressions: [{ kind: "external", status: "accepted", justification: `${known.reason} (${known.date})` }],
});

type PrintOf = (name: string, found: CheckFinding) => string;

/**
 * Fingerprints by which a code host recognises a finding: the set, the code, and the array or target; not the first of
 * its chunks, which may be another one tomorrow. Equal ones are counted. The line's own hash would be that of a whole
 * document.
 */
function fingerprints(): PrintOf {
  const met = new Map<string, number>();
  return (name, { code, array, key, target }) => {
    const bytes = new TextEncoder().encode(JSON.stringify([uriOf(name), code, array ?? target ?? key ?? ""]));
    const print = [0, 1].map((seed) => lookup3(bytes, seed).toString(16).padStart(8, "0")).join("");
    met.set(print, (met.get(print) ?? 0) + 1);
    return `${print}:${met.get(print)}`;
  };
}

function resultOf(name: string, found: CheckFinding, printOf: PrintOf): object {
  const { code, severity, message, advice, array, key, target, chunks, count, outgrown, line = 1 } = found;
  const place = key ?? array ?? target;
  const uri = uriOf(name);
  return {
    ruleId: code,
    level: LEVELS[severity],
    message: { text: plainText(advice === undefined ? message : `${message} ${advice}`) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: /^[a-z][a-z\d+.-]+:/i.test(uri) ? { uri } : { uri, uriBaseId: "%SRCROOT%" },
          // Hosts show nothing without a line.
          region: { startLine: line },
        },
        ...(place === undefined ? {} : { logicalLocations: [{ fullyQualifiedName: place }] }),
      },
    ],
    partialFingerprints: { primaryLocationLineHash: printOf(name, found) },
    properties: {
      count,
      ...(array === undefined ? {} : { array }),
      ...(key === undefined ? {} : { key }),
      ...(target === undefined ? {} : { target }),
      ...(chunks === undefined ? {} : { chunks }),
      ...(outgrown === undefined ? {} : { outgrown }),
    },
  };
}

/** Brackets of a text are no embedded link (§3.11.6). */
const plainText = (text: string): string => text.replaceAll(/[\\[\]]/g, "\\$&");

/** A URI reference (RFC 3986), as SARIF §3.4.3 asks for: of a path its characters are escaped. */
function uriOf(name: string): string {
  if (/^[a-z][a-z\d+.-]+:\/\//i.test(name)) return name;
  const path = name.replaceAll("\\", "/").replace(/^(?:\.\/)+/, "");
  const drive = /^[a-z]:\//i.exec(path)?.[0] ?? "";
  const escaped = path.slice(drive.length).split("/").map(encodeURIComponent).join("/");
  if (drive !== "") return `file:///${drive}${escaped}`;
  return escaped.startsWith("/") ? `file://${escaped}` : escaped;
}

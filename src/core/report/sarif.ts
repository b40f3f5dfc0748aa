/** A report as SARIF 2.1.0 (OASIS), which code hosts show beside the files of a change. */
import { withoutSecrets } from "../words/without-secrets.ts";
import type { CheckFinding, CheckReport, KnownFinding } from "./report.ts";

const LEVELS = { error: "error", warning: "warning", info: "note" } as const;

export interface ReportedSet {
  /** The set, as it was given: a path or a URL. */
  readonly name: string;
  readonly report: CheckReport;
}

/** What a code is called whatever was found; absent = as in its first finding. */
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
          ...findings.map((found) => resultOf(name, found)),
          ...accepted.map((known) => suppressed(name, known)),
        ]),
      },
    ],
  };
}

function ruleOf({ code, cause, severity }: CheckFinding, { titleOf, helpOf }: RuleWords): object {
  const help = helpOf(code);
  return {
    id: code,
    shortDescription: { text: plainText(titleOf(code) ?? cause) },
    ...(help === undefined ? {} : { help: { text: plainText(help) } }),
    defaultConfiguration: { level: LEVELS[severity] },
  };
}

/** SARIF §3.35: a person decided, outside of the source, that it is to be left as it is. */
const suppressed = (name: string, known: KnownFinding): object => ({
  ...resultOf(name, known),
  suppressions: [{ kind: "external", status: "accepted", justification: `${known.reason} (${known.date})` }],
});

function resultOf(
  name: string,
  { code, severity, message, advice, array, key, target, chunks, count, outgrown, line }: CheckFinding,
): object {
  const place = key ?? array ?? target;
  return {
    ruleId: code,
    level: LEVELS[severity],
    message: { text: plainText(advice === undefined ? message : `${message} ${advice}`) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(name) },
          ...(line === undefined ? {} : { region: { startLine: line } }),
        },
        ...(place === undefined ? {} : { logicalLocations: [{ fullyQualifiedName: place }] }),
      },
    ],
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

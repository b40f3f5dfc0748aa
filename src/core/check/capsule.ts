/**
 * A fault with all that is needed to see it again: a set of one chunk, a script that reads it in Python, what was asked and
 * answered, and an issue that says so. Files by name, as texts.
 */
import { cut } from "../words.ts";
import { chunkKey, type KeysOfArray } from "../metadata/chunk-grid.ts";
import type { Explain } from "../findings/explained.ts";
import type { Finding } from "../findings/finding.ts";
import type { Reading, StageReport } from "../reading.ts";
import { codeSpan, inlineText } from "../report/markdown.ts";
import { hasSecrets, withoutSecrets } from "../words/without-secrets.ts";

/** Parts that the engine gives. */
export interface CapsuleParts {
  readonly reading: Omit<Reading, "id">;
  /** Kerchunk JSON with the metadata of the array and the reference of the chunk. */
  readonly references: string;
  /** Python that reads it. */
  readonly script: string;
  /** The format of the set it was taken from: "Kerchunk JSON, Version 1". */
  readonly format: string;
  /** The chunk's bytes stand in the references. */
  readonly inlined: boolean;
  readonly keys: KeysOfArray;
}

export interface CapsuleContext {
  /** The set, as people know it. */
  readonly set: string;
  /** Refscope's. */
  readonly version: string;
  /** Platform it ran on: "Node 20.19", a browser's user agent. */
  readonly platform: string;
  readonly date: string;
}

export type CapsuleFiles = ReadonlyMap<string, string>;

export function capsuleFiles(parts: CapsuleParts, context: CapsuleContext, explain: Explain): CapsuleFiles {
  const files = [
    ["README.md", issueText(parts, context, explain)],
    ["references.json", parts.references],
    ["read_chunk.py", parts.script],
    ["request.json", `${JSON.stringify(requestLog(parts, context), withoutBytes, 2)}\n`],
  ] as const;
  return new Map(files.map(([name, text]) => [name, withoutSecrets(text)]));
}

/** For the name of a file: nothing in it is a path. */
export function capsuleName({ reading: { array, coordinates } }: CapsuleParts): string {
  const place = `${array}-${coordinates.join(".")}`.replaceAll(/[^A-Za-z0-9._-]+/g, "_").slice(0, 80);
  return `refscope-${place}`;
}

/** Markdown for an issue: everything that came from the set is code. */
export function issueText(parts: CapsuleParts, context: CapsuleContext, explain: Explain): string {
  const { reading, keys, format, inlined } = parts;
  const { array, coordinates, written, request, stages, error, findings } = reading;
  const key =
    keys.shards === undefined ? chunkKey(array, coordinates, keys.separator) : `${array} ${coordinates.join(".")}`;
  const told = [...(error === undefined ? [] : [error]), ...findings.filter((one) => one !== error)];
  return [
    `# ${codeSpan(key)}: ${inlineText(told[0] === undefined ? "reads without an error" : explain(told[0]).title)}`,
    "",
    `Chunk ${codeSpan(key)} of ${codeSpan(context.set)} (${format}).`,
    "",
    `- Reference: ${written === "" ? "none" : codeSpan(cut(written, LONGEST))}`,
    ...requestLines(request),
    "",
    ...(stages.length === 0 ? [] : ["| Step | Bytes in | Bytes out | |", "| --- | --: | --: | --- |"]),
    ...stages.map((stage) => stageLine(stage, explain)),
    ...(stages.length === 0 ? [] : [""]),
    ...unique(told).map((one) => findingLine(one, explain)),
    "",
    `To see it again: ${codeSpan("python read_chunk.py")} beside ${codeSpan("references.json")}, which holds this chunk alone${inlined ? ", bytes and all" : " and refers to its bytes where they are"}.`,
    ...(hasSecrets(parts.references)
      ? [`Signatures and passwords were left out of its URLs: put yours in place of “…” before you run it.`]
      : []),
    "",
    `Refscope ${context.version}, ${inlineText(context.platform)}, ${context.date}.`,
    "",
  ].join("\n");
}

function requestLines(request: Reading["request"]): readonly string[] {
  if (request === undefined) return [];
  const { url, range, status, bytesReceived, bytesExpected, targetSize, lastModified, etag, attempts } = request;
  const asked = range === undefined ? "all of it" : `bytes ${range.offset} to ${range.offset + range.length - 1}`;
  return [
    `- Asked for: ${asked} of ${codeSpan(url)}${attempts > 1 ? `, ${attempts} times` : ""}`,
    `- Came back: ${status === undefined ? "" : `status ${status}, `}${bytesReceived} bytes${bytesExpected === undefined ? "" : ` of ${bytesExpected}`}`,
    ...(targetSize === undefined ? [] : [`- The target has ${targetSize} bytes`]),
    ...(lastModified === undefined ? [] : [`- Last modified: ${codeSpan(lastModified)}`]),
    ...(etag === undefined ? [] : [`- ETag: ${codeSpan(etag)}`]),
  ];
}

function stageLine({ id, bytesIn, bytesOut, error }: StageReport, explain: Explain): string {
  const said = error === undefined ? "" : inlineText(explain(error).message);
  return `| ${codeSpan(id)} | ${bytesIn} | ${bytesOut ?? ""} | ${said} |`;
}

function findingLine(found: Finding, explain: Explain): string {
  const { severity, message, remedy } = explain(found);
  return `- **${severity}** \`${found.code}\`: ${inlineText(message)}${remedy === undefined ? "" : ` ${inlineText(remedy)}`}`;
}

function unique(findings: readonly Finding[]): readonly Finding[] {
  return [...new Map(findings.map((one) => [JSON.stringify(one, withoutBytes), one])).values()];
}

function requestLog({ reading, format }: CapsuleParts, { set, version, platform, date }: CapsuleContext): object {
  const { array, coordinates, key, written, resolution, request, stages, outcome, error, findings } = reading;
  const steps = stages.map(({ head: _head, look: _look, ...stage }) => stage);
  const chunk = {
    array,
    coordinates,
    key,
    written,
    resolution,
    request,
    stages: steps,
    outcome,
    error,
    findings,
  };
  return { refscope: version, platform, date, set, format, chunk };
}

function withoutBytes(_: string, value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  return ArrayBuffer.isView(value) ? undefined : value;
}

const LONGEST = 400;

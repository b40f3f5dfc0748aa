/** What a scanned document means: Version 0, Version 1, several sets, or something else; with all findings. */
import type { CallContext } from "../../core/byte-source.ts";
import type { Finding } from "../../core/finding.ts";
import { FindingLog } from "../../core/findings/finding-log.ts";
import type { SetChoice } from "../../core/open-set.ts";
import type { Version1Renderer } from "../../core/version1.ts";
import type { ScannedDocument } from "./document-state.ts";
import { notASet, notASetList } from "./not-a-set.ts";
import type { KerchunkDocument, KerchunkRead } from "./read.ts";
import { referenceSet, type ReferenceSet } from "./reference-set.ts";
import type { Scanner } from "./scanner.ts";
import { renderSet, type RenderedSet } from "./render-set.ts";
import { finishTable } from "./table.ts";

export interface MeaningOptions {
  /** Makes what renders the templates and gen of a Version 1 document; without it both are left as they are. */
  readonly rendering?: (texts: Version1Texts) => Version1Renderer | undefined | Promise<Version1Renderer | undefined>;
  /** The document is meant as a reference set, whatever it holds: one that is being written. */
  readonly meant?: boolean;
  readonly context: CallContext;
}

/** JSON texts as written. */
export interface Version1Texts {
  readonly templates: string | undefined;
  readonly gen: string | undefined;
}

export async function describeDocument(
  scanned: ScannedDocument,
  makeScanner: () => Scanner,
  options: MeaningOptions,
): Promise<KerchunkRead> {
  if (scanned.top === "list") {
    if (scanned.embedded.length > 0) return choose(scanned);
    return { kind: "other", finding: notASetList(scanned.itemCount, scanned.pairCount) };
  }
  return isVersion1(scanned) ? version1(scanned, makeScanner, options) : version0(scanned, makeScanner, options.meant);
}

/** fsspec: `version` absent or null is Version 0. */
function isVersion1({ version }: ScannedDocument): boolean {
  return version !== undefined && version !== "null";
}

/** Python: 1 == 1.0 == True. */
const isOne = (version: string): boolean => /^\d/.test(version) && Number(version) === 1;

function choose(scanned: ScannedDocument): KerchunkRead {
  const choices: readonly SetChoice[] = scanned.embedded.map(({ id, label, detail }) => ({ id, label, detail }));
  const title = `The document holds ${choices.length} reference ${choices.length === 1 ? "set" : "sets"}`;
  return { kind: "choose", title, choices };
}

interface About {
  readonly version: 0 | 1;
  readonly otherMembers: readonly string[];
  readonly rendered: RenderedSet | undefined;
}

async function version1(
  scanned: ScannedDocument,
  makeScanner: () => Scanner,
  options: MeaningOptions,
): Promise<KerchunkRead> {
  const { version, refs, memberNames } = scanned;
  const findings = new FindingLog();
  if (refs === undefined && scanned.embedded.length > 0) return choose(scanned);
  if (refs === undefined && options.meant !== true && !looksMeant(scanned)) {
    return { kind: "other", finding: notASet({ names: ["version", ...memberNames], count: scanned.memberCount + 1 }) };
  }
  if (version !== "true" && !isOne(version ?? "")) findings.add(versionUnknown(version ?? ""));
  if (memberNames.includes("refs")) findings.add(REFS_NOT_OBJECT);
  const others = memberNames.filter((name) => name !== "refs");
  if (others.length > 0) findings.add(otherMembers(others, scanned.memberCount));
  const set = refs ?? referenceSet(makeScanner());
  const { templates, gen } = scanned;
  const renderer = await options.rendering?.({ templates, gen });
  const rendered = renderer && (await renderSet(set, renderer, options.context));
  return {
    kind: "set",
    document: makeDocument(scanned, set, findings, { version: 1, otherMembers: others, rendered }),
  };
}

/** A version and nothing else of the specification may be any document. */
function looksMeant({ memberNames, templates, gen, memberCount }: ScannedDocument): boolean {
  return memberCount === 0 || memberNames.includes("refs") || templates !== undefined || gen !== undefined;
}

function version0(scanned: ScannedDocument, makeScanner: () => Scanner, meant = false): KerchunkRead {
  const { members, refs, memberNames, memberCount } = scanned;
  const isSet = members !== undefined && (members.metadata.size > 0 || members.lists() > 0);
  if (!isSet && !meant && refs === undefined) {
    if (scanned.embedded.length > 0) return choose(scanned);
    if (memberCount > 0 || scanned.templates !== undefined) {
      return { kind: "other", finding: notASet({ names: memberNames, count: memberCount }) };
    }
  }
  const findings = new FindingLog();
  const set = members ?? referenceSet(makeScanner());
  if (refs !== undefined) {
    findings.add(VERSION_MISSING);
    set.addBad("refs", { reason: VERSION_MISSING.message, written: "{…}" });
  }
  for (const name of ["version", "templates", "gen"] as const) {
    if (scanned[name] !== undefined) addTextMember(set, name, scanned[name]);
  }
  for (const { id, label } of scanned.embedded) {
    set.addBad(id, { reason: "The value is a reference set itself; open it on its own.", written: label });
  }
  const about = { version: 0, otherMembers: [], rendered: undefined } as const;
  return { kind: "set", document: makeDocument(scanned, set, findings, about) };
}

/** In Version 0 every member is a key, these too. */
function addTextMember(set: ReferenceSet, name: string, text: string): void {
  const reason = `Without a version number “${name}” is a key like any other, and its value is no reference.`;
  set.addBad(name, { reason, written: text.slice(0, 500) });
}

function makeDocument(
  scanned: ScannedDocument,
  set: ReferenceSet,
  findings: FindingLog,
  about: About,
): KerchunkDocument {
  const { version, rendered } = about;
  const finished = finishTable(set, rendered);
  findings.addAll(scanned.findings.list());
  findings.addAll(textFindings(scanned));
  findings.addAll(rendered?.renderer.findings() ?? []);
  findings.addAll(rendered?.findings ?? []);
  if (finished.targets.invalidUtf8 !== undefined) findings.add(notUtf8(finished.targets.invalidUtf8));
  findings.addAll(set.findings.list());
  findings.addAll(finished.findings);
  const { table, origins } = finished;
  const keys = table.rows + set.metadata.size;
  if (keys === 0) findings.add(EMPTY);
  return {
    version,
    table,
    origins,
    renderer: rendered?.renderer,
    metadata: [...set.metadata.values()].map((entry) => ({ ...entry, row: finished.newRow(entry.row) })),
    templates: version === 1 ? scanned.templates : undefined,
    gen: version === 1 ? scanned.gen : undefined,
    otherMembers: about.otherMembers,
    documentBytes: scanned.bytes,
    findings: findings.list(),
    keys,
  };
}

function textFindings({ notes }: ScannedDocument): readonly Finding[] {
  const list: Finding[] = [];
  if (notes.notFinite > 0) {
    list.push({
      code: "json-nan",
      severity: "warning",
      message:
        "The document holds a bare NaN or Infinity, which is not JSON: Python reads it, other readers refuse the file.",
      count: notes.notFinite,
    });
  }
  if (notes.trailingCommas > 0) {
    list.push({
      code: "json-trailing-comma",
      severity: "error",
      message:
        "A comma stands before a closing bracket, which is not JSON: Python's reader (fsspec) refuses the whole file.",
      advice: "Remove the comma.",
      count: notes.trailingCommas,
    });
  }
  return list;
}

const VERSION_MISSING: Finding = {
  code: "version-missing",
  severity: "error",
  key: "refs",
  message:
    "The document has “refs” but no “version”. Python's reader takes it for Version 0, in which “refs” is a key like any other, and finds no array.",
  advice: 'Add “"version": 1” to the document.',
};

const REFS_NOT_OBJECT: Finding = {
  code: "refs-not-object",
  severity: "error",
  message: "“refs” is not an object, so that the set has no references; Python's reader fails on it.",
};

const EMPTY: Finding = {
  code: "set-empty",
  severity: "warning",
  message: "The reference set has no references at all.",
};

function versionUnknown(version: string): Finding {
  return {
    code: "version-unknown",
    severity: "error",
    message: `The version is ${version.slice(0, 60)}; only 1 is known, and Python's reader refuses the set. It is shown as Version 1.`,
    advice: "Set “version” to the number 1.",
  };
}

function otherMembers(names: readonly string[], count: number): Finding {
  const few = names.slice(0, 5).map((name) => `“${name.slice(0, 60)}”`);
  return {
    code: "member-unknown",
    severity: "info",
    message: `Beside “refs” the document has ${few.join(", ")}${count > few.length ? ", …" : ""}, which Version 1 does not know and readers skip.`,
  };
}

function notUtf8(text: string): Finding {
  return {
    code: "json-not-utf8",
    severity: "error",
    target: text,
    message: "The document is not UTF-8, so that Python refuses it; what cannot be read is shown as �.",
  };
}

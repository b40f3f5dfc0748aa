/** What a scanned document means: Version 0, Version 1, several sets, or something else; with all findings. */
import type { CallContext } from "../../core/byte-source.ts";
import { type Finding, finding } from "../../core/findings/finding.ts";
import { FindingLog } from "../../core/findings/finding-log.ts";
import { keyAt, targetAt, WHOLE_SET } from "../../core/findings/place.ts";
import type { SetChoice } from "../../core/open-set.ts";
import type { Version1Renderer } from "../../core/table/version1.ts";
import type { ScannedDocument } from "./document-state.ts";
import type { KerchunkDocument, KerchunkRead } from "./kerchunk-document.ts";
import { notASet, notASetList } from "./not-a-set.ts";
import { malformed } from "./reference-value.ts";
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
const isVersion1 = ({ version }: ScannedDocument): boolean => version !== undefined && version !== "null";

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
  if (refs === undefined && options.meant !== true && !looksLikeVersion1(scanned)) {
    return { kind: "other", finding: notASet({ names: ["version", ...memberNames], count: scanned.memberCount + 1 }) };
  }
  if (version !== "true" && !isOne(version ?? "")) {
    const facts = { version: (version ?? "").slice(0, 60), raises: "ValueError", step: "version" } as const;
    findings.add(finding("version-unknown", WHOLE_SET, facts));
  }
  if (memberNames.includes("refs"))
    findings.add(finding("refs-not-object", WHOLE_SET, { raises: "AttributeError", step: "refs" }));
  const others = memberNames.filter((name) => name !== "refs");
  if (others.length > 0) {
    const names = others.slice(0, 5).map((name) => name.slice(0, 60));
    findings.add(finding("member-unknown", WHOLE_SET, { names, members: scanned.memberCount }));
  }
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
function looksLikeVersion1({ memberNames, templates, gen, memberCount }: ScannedDocument): boolean {
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
    const found = finding("version-missing", keyAt("refs"), {});
    findings.add(found);
    set.addBad("refs", { kind: "bad", found }, "{…}");
  }
  for (const name of ["version", "templates", "gen"] as const) {
    const written = scanned[name];
    if (written !== undefined)
      set.addBad(name, malformed(`“${name}”, a key like any other without a version number`), written.slice(0, 500));
  }
  for (const { id, label } of scanned.embedded) {
    set.addBad(id, malformed("a reference set itself, to be opened on its own"), label);
  }
  const about = { version: 0, otherMembers: [], rendered: undefined } as const;
  return { kind: "set", document: makeDocument(scanned, set, findings, about) };
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
  const { invalidUtf8: text } = finished.targets;
  if (text !== undefined) findings.add(finding("not-utf-8", targetAt(text), { text }));
  findings.addAll(set.findings.list());
  findings.addAll(finished.findings);
  const { table, origins } = finished;
  const keys = table.rows + set.metadata.size;
  if (keys === 0) findings.add(finding("set-empty", WHOLE_SET, {}));
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
  const { notFinite, trailingCommas } = notes;
  return [
    ...(notFinite > 0 ? [finding("json-not-finite", WHOLE_SET, {}, notFinite)] : []),
    ...(trailingCommas > 0 ? [finding("json-trailing-comma", WHOLE_SET, {}, trailingCommas)] : []),
  ];
}

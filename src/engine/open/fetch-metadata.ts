/**
 * Metadata documents of a set as text. Kerchunk's ZarrToZarr writes even `.zarray` as a reference: those are fetched.
 */
import type { CallContext } from "#core/byte-source.ts";
import { failure, type Finding, finding, isAbort, keyAt, WHOLE_SET, findingOfError } from "#core/findings/finding.ts";
import { FindingLog } from "#core/findings/finding-log.ts";
import type { MetadataDocument } from "#core/metadata/array-metadata.ts";
import type { Reference } from "#core/table/reference.ts";
import { documentTextOf } from "#core/metadata/node-document.ts";
import type { MetadataEntry } from "#formats/kerchunk-json/index.ts";
import { eachAtOnce } from "../kept.ts";
import type { TargetReader } from "../chunk/sources.ts";

export interface FetchedMetadata {
  readonly all: ReadonlyMap<string, MetadataDocument>;
  /** Paths of the arrays (and groups) whose `.zarray` or `zarr.json` was not in the set itself. */
  readonly fetchedArrays: ReadonlySet<string>;
  readonly findings: readonly Finding[];
}

const MAX_FETCHED = 20_000;
const LARGEST_DOCUMENT = 64 << 20;
const AT_ONCE = 6;
const ARRAY_DOCUMENT = /^(?:(.*)\/)?(?:\.zarray|zarr\.json)$/s;

/** `known`: documents fetched for another edition of the set, taken where the reference is the same. */
export async function fetchMetadata(
  entries: readonly MetadataEntry[],
  targets: TargetReader,
  context: CallContext,
  known: ReadonlyMap<string, MetadataDocument> = new Map(),
): Promise<FetchedMetadata> {
  const all = new Map<string, MetadataDocument>();
  const log = new FindingLog();
  const remote: MetadataEntry[] = [];
  for (const entry of entries) {
    all.set(entry.key, documentOf(entry)); // Fetched ones take their place in the order of the document too.
    if (entry.value.kind === "whole" || entry.value.kind === "range") remote.push(entry);
  }
  if (remote.length > MAX_FETCHED) {
    const facts = { problem: "too-many", references: remote.length, limit: MAX_FETCHED } as const;
    log.add(finding("metadata-not-fetched", WHOLE_SET, facts));
  }
  const toFetch = remote.slice(0, MAX_FETCHED);
  let done = 0;
  await eachAtOnce(toFetch, AT_ONCE, async ({ key, value }) => {
    const document = knownAs(known.get(key), value) ?? (await fetchOne(key, value, targets, context));
    if (document.problem !== undefined) log.add(document.problem);
    all.set(key, document);
    done += 1;
    context.report({ label: "Fetching metadata", done, total: toFetch.length, unit: "requests" });
  });
  const fetchedArrays = remote.flatMap(({ key }) => {
    const found = ARRAY_DOCUMENT.exec(key);
    return found === null ? [] : [found[1] ?? ""];
  });
  return { all, fetchedArrays: new Set(fetchedArrays), findings: log.list() };
}

/** The same document was fetched before, by the same reference. */
function knownAs(document: MetadataDocument | undefined, value: Reference): MetadataDocument | undefined {
  return document?.text !== undefined && document.fetchedBy === referenceText(value) ? document : undefined;
}

function referenceText(value: Reference): string | undefined {
  if (value.kind === "whole") return JSON.stringify([value.target]);
  return value.kind === "range" ? JSON.stringify([value.target, value.offset, value.length]) : undefined;
}

function documentOf({ key, value }: MetadataEntry): MetadataDocument {
  if (value.kind === "inline") return { key, text: documentTextOf(value.bytes) };
  return { key, text: undefined, ...(value.kind === "bad" ? { problem: badReference(key, value.reason) } : {}) };
}

async function fetchOne(
  key: string,
  value: Reference,
  targets: TargetReader,
  context: CallContext,
): Promise<MetadataDocument> {
  if (value.kind !== "whole" && value.kind !== "range") return { key, text: undefined };
  const resolution = targets.resolve(value.target);
  if (resolution.kind === "unresolved") {
    return { key, text: undefined, problem: notFetched(key, resolution.finding) };
  }
  if (value.kind === "range" && value.length > LARGEST_DOCUMENT) {
    const facts = { size: value.length, limit: LARGEST_DOCUMENT, unit: "bytes" } as const;
    return unread(key, failure("metadata-too-large", keyAt(key), facts));
  }
  const range = value.kind === "range" ? { offset: value.offset, length: value.length } : undefined;
  try {
    const { bytes, findings } = await targets.read(resolution, range, { ...context, most: LARGEST_DOCUMENT });
    const page = findings.find(({ code }) => code === "web-page");
    if (page !== undefined) return { key, text: undefined, problem: notFetched(key, page) };
    const fetchedBy = referenceText(value) ?? "";
    return { key, text: documentTextOf(bytes), fetchedBy };
  } catch (error) {
    if (isAbort(error) && context.signal.aborted) throw error;
    return unread(key, error);
  }
}

const unread = (key: string, error: unknown): MetadataDocument => ({
  key,
  text: undefined,
  problem: notFetched(key, findingOfError(error, `Reading ${key}`)),
});

const badReference = (key: string, cause: Finding): Finding =>
  finding("metadata-not-fetched", keyAt(key), { problem: "reference", cause });

const notFetched = (key: string, cause: Finding): Finding =>
  finding("metadata-not-fetched", keyAt(key), { problem: "failed", cause });

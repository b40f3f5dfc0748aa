/** Chunks that do not decode, by cause: a file that is another one, an array that is declared wrongly, or a chunk. */
import { groupedBy } from "#core/basics.ts";
import { type Finding, finding } from "#core/findings/finding.ts";
import type { RepairFacts } from "#core/findings/catalogue/misread.ts";
import type { Suggestion } from "#core/repair.ts";
import { bareName } from "#core/metadata/codec-table.ts";
import { findSignature } from "#engine/looks/look.ts";
import { isDataFile } from "#engine/engine-set.ts";
import type { ChunkReference } from "#engine/chunk/chunk-reference.ts";
import { loadChunk } from "#engine/chunk/load-chunk.ts";
import { mayBegin } from "#engine/repair/suggest/codec-roles.ts";
import { repairSearch } from "./repair-search.ts";
import { CHUNK_FAILED, NO_FILE, type ArrayFacts } from "./value-facts.ts";
import { explainArray, explainSlots, ofChunks, placeAt, slotsOfFile, withChunks, withOthers } from "./value-rule.ts";
import type { ValuesView } from "./value-rule.ts";

export interface Failure {
  readonly facts: ArrayFacts;
  /** -1 where it is not one of those looked at. */
  readonly slot: number;
  readonly chunk: ChunkReference;
  readonly error: Finding;
}

/** Share of a file's chunks that must fail to blame the file; below it the chunks are examined one by one. */
const SHARE_OF_FILE = 0.6;
const LEAST_OF_FILE = 2;
const SHARE_OF_ARRAY = 0.9;

/** Failed chunks of one array and code for which repairs are looked for one by one. */
const MAX_SEARCHED = 3;

/** Explains failures; marks the explained chunks in the ledger. */
export async function explainFailures(view: ValuesView, failures: readonly Failure[]): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  // A data file that was opened itself has no references or declarations of another's that could be wrong.
  if (isDataFile(view.set)) {
    for (const { facts, slot } of failures) explainSlots(facts, [slot]);
    return failures.map(({ error }) => error);
  }
  for (const failure of failures) if (!isAboutBytes(failure.error)) findings.push(failure.error);
  const all = failures.filter(({ error }) => isAboutBytes(error));
  const told = new Set<ArrayFacts>();
  for (const [facts, own] of groupedBy(all, (one) => one.facts)) {
    const found = await otherFormat(view, facts, own);
    if (found === undefined) continue;
    told.add(facts);
    findings.push(found);
    explainArray(facts);
  }
  const decodes = all.filter(({ facts }) => !told.has(facts));
  const wholeArrays = new Set<ArrayFacts>();
  for (const failure of decodes)
    if (!wholeArrays.has(failure.facts) && (await isOfArray(view, failure))) wholeArrays.add(failure.facts);
  const files = filesOf(decodes.filter(({ facts }) => !wholeArrays.has(facts)));
  const ofFiles = new Set([...files].filter(([file]) => isOfFile(view, file, wholeArrays)).map(([file]) => file));
  for (const facts of wholeArrays) {
    const own = decodes.filter((one) => one.facts === facts);
    findings.push(...(await ofArray(view, facts, own)));
    explainArray(facts);
  }
  for (const file of ofFiles) {
    const own = files.get(file) ?? [];
    findings.push(await ofFile(view, file, own));
    for (const facts of view.facts) explainSlots(facts, slotsOfFile(facts, file));
  }
  const rest = decodes.filter((one) => !wholeArrays.has(one.facts) && !ofFiles.has(fileOf(one)));
  findings.push(...(await oneByOne(view, rest)));
  for (const { facts, slot } of rest) explainSlots(facts, [slot]);
  return findings;
}

/**
 * Not about a target that cannot be had, nor a reference or metadata that cannot be read: the bytes came, and do not
 * decode.
 */
const isAboutBytes = ({ place, code }: Finding): boolean =>
  place.kind === "chunk" && !/^(?:reference-bad|chunk-not-generated|codec-configuration|fill-.*)$/.test(code);

const fileOf = ({ facts, slot }: Failure): number => facts.files[slot] ?? NO_FILE;

function filesOf(failures: readonly Failure[]): ReadonlyMap<number, readonly Failure[]> {
  return groupedBy(
    failures.filter((failure) => fileOf(failure) !== NO_FILE),
    fileOf,
  );
}

function shareFailed(arrays: readonly ArrayFacts[], file?: number) {
  let [failed, of] = [0, 0];
  for (const { files, states } of arrays) {
    for (const [slot, state] of states.entries()) {
      if (file !== undefined && files[slot] !== file) continue;
      of += 1;
      if (state === CHUNK_FAILED) failed += 1;
    }
  }
  return { failed, of, share: of === 0 ? 0 : failed / of };
}

/**
 * Nearly all of its chunks fail, while other arrays of the same files do not. Where it is alone in the only file, what
 * repairs a chunk tells: codecs are the array's, bytes that moved the file's.
 */
async function isOfArray(view: ValuesView, { facts, slot }: Failure): Promise<boolean> {
  const own = shareFailed([facts]);
  if (own.share < SHARE_OF_ARRAY) return false;
  const files = new Set(facts.files);
  const others = view.facts.filter((one) => one !== facts && canFail(one) && one.files.some((file) => files.has(file)));
  if (shareFailed(others).share >= 0.5) return false;
  if (files.size > 1 || others.length > 0 || own.of < LEAST_OF_FILE || files.has(NO_FILE)) return true;
  const best = await bestRepair(view, facts, slot);
  return best !== undefined && best.trial.shift === undefined;
}

/** Guesses below it explain nothing: a range that is another chunk's decodes as well. */
const LEAST_SCORE = 0.6;

async function bestRepair(view: ValuesView, facts: ArrayFacts, slot: number): Promise<Suggestion | undefined> {
  if (slot < 0) return undefined;
  const best = await repairSearch(view).best(facts, slot);
  return best !== undefined && best.score >= LEAST_SCORE ? best : undefined;
}

const canFail = ({ isPlain, ordinals }: ArrayFacts): boolean => !isPlain && ordinals.length > 0;

function isOfFile({ facts }: ValuesView, file: number, without: ReadonlySet<ArrayFacts>): boolean {
  const { failed, share } = shareFailed(
    facts.filter((one) => canFail(one) && !without.has(one)),
    file,
  );
  return failed >= LEAST_OF_FILE && share >= SHARE_OF_FILE;
}

async function ofFile(view: ValuesView, file: number, failures: readonly Failure[]): Promise<Finding> {
  const [first] = failures;
  if (first === undefined) throw new TypeError("A file without failures.");
  const target = view.set.table.targets.text(file);
  const { of } = shareFailed(view.facts, file);
  const slots = failures.filter((one) => one.facts === first.facts).map(({ slot }) => slot);
  const [best, other] = await repairsOf(view, failures);
  // The bytes are at their places and as large as they should be, but stored differently: the right file was read.
  if (best !== undefined && other !== undefined && best.trial.shift === undefined && isAlike(best, other)) {
    return { ...withChunks(misdeclared(best, first), first.facts, slots), count: failures.length };
  }
  const facts = {
    failed: failures.length,
    chunks: of,
    moved: best?.trial.shift === other?.trial.shift ? best?.trial.shift : undefined,
    looks: await looksLike(view, first),
    isAlone: isOnlyFile(view, file),
    cause: first.error,
  };
  const others = failures.filter((one) => one.facts !== first.facts).map((one) => [one.facts, [one.slot]] as const);
  return { ...withOthers(ofChunks("target-unfit", first.facts, slots, facts, target), others), count: failures.length };
}

const isOnlyFile = ({ facts }: ValuesView, file: number): boolean =>
  facts.every(({ files }) => files.every((one) => one === file || one === NO_FILE));

/** Fixes of the first two of them. */
async function repairsOf(view: ValuesView, failures: readonly Failure[]): Promise<readonly (Suggestion | undefined)[]> {
  const found: (Suggestion | undefined)[] = [];
  for (const { facts, slot } of failures.slice(0, 2)) found.push(await bestRepair(view, facts, slot));
  return found;
}

const isAlike = (one: Suggestion, other: Suggestion): boolean =>
  JSON.stringify(one.change) === JSON.stringify(other.change);

/** `undefined` for what a declared codec decodes, by any of the format's names. */
async function signatureOf({ set, context }: ValuesView, { chunk }: Failure, without: readonly string[] = []) {
  const loaded = await loadChunk(set, chunk, context);
  const signature = loaded.kind === "bytes" ? findSignature(loaded.bytes) : undefined;
  const isDeclared = (id: string) => signature !== undefined && (id.includes(signature.name) || begins(id));
  const begins = (id: string) => loaded.kind === "bytes" && mayBegin(id, loaded.bytes, 0) === true;
  return without.some(isDeclared) ? undefined : signature;
}

const looksLike = async (view: ValuesView, failure: Failure) => (await signatureOf(view, failure))?.label;

/** Formats whose first bytes cannot be an accident; others count where the chunks decode with their codec. */
// oxfmt-ignore
const SURE: ReadonlySet<string> = new Set([
  "grib", "tiff", "png", "jpeg", "fits", "netcdf3", "hdf5", "zip", "zstd", "gzip", "xz", "bz2",
]);
const MAX_LOOKED_AT = 4;

/** All chunks begin as a format does that no declared codec decodes: that is the array's, not the chunks' or the file's. */
async function otherFormat(view: ValuesView, facts: ArrayFacts, own: readonly Failure[]): Promise<Finding | undefined> {
  const [first] = own;
  const { decoding } = facts.node.metadata;
  const slots = own.map(({ slot }) => slot).filter((slot) => slot >= 0);
  if (first === undefined || slots.length === 0 || shareFailed([facts]).share < SHARE_OF_ARRAY) return undefined;
  const codecs = decoding.map(({ id }) => bareName(id)).filter((id) => id !== "bytes");
  const signature = await signatureOf(view, first, codecs);
  // Pieces of HDF5 are where wrong offsets lead.
  if (signature === undefined || (signature.name === "hdf5" && !signature.label.endsWith("a file"))) return undefined;
  const step = Math.ceil(own.length / MAX_LOOKED_AT);
  for (let at = step; at < own.length; at += step)
    if ((await signatureOf(view, own[at] as Failure))?.name !== signature.name) return undefined;
  const one = await bestRepair(view, facts, first.slot);
  const other = await bestRepair(view, facts, own.at(-1)?.slot ?? -1);
  const isRead = one?.change.kind === "codec-undeclared" && other !== undefined && isAlike(one, other);
  if (!isRead && (one !== undefined || !SURE.has(signature.name))) return undefined;
  const format = signature.name;
  const looks = signature.label.replace(", the beginning of a file", "");
  const told = { format, looks, codecs, chunks: slots.length, change: isRead ? one.change : undefined };
  return ofChunks("chunks-of-other-format", facts, slots, { ...told, cause: first.error });
}

/** One cause for all chunks: what repairs the first and another of them, else what failed most often. */
async function ofArray(view: ValuesView, facts: ArrayFacts, failures: readonly Failure[]): Promise<readonly Finding[]> {
  const [first, last] = [failures[0], failures.at(-1)];
  if (first === undefined || last === undefined) return [];
  const [one, other] = [await bestRepair(view, facts, first.slot), await bestRepair(view, facts, last.slot)];
  const isOne = one !== undefined && JSON.stringify(one.trial) === JSON.stringify(other?.trial);
  const slots = failures.map(({ slot }) => slot);
  if (!isOne) return failures.map(({ error }) => error);
  return [withChunks(misdeclared(one, first), facts, slots)];
}

async function oneByOne(view: ValuesView, failures: readonly Failure[]): Promise<readonly Finding[]> {
  const searched = new Map<string, number>();
  const findings: Finding[] = [];
  for (const failure of failures) {
    const { facts, slot, error } = failure;
    const kind = `${facts.node.path} ${error.code}`;
    const times = searched.get(kind) ?? 0;
    searched.set(kind, times + 1);
    const best = times < MAX_SEARCHED ? await bestRepair(view, facts, slot) : undefined;
    findings.push(best === undefined ? atObject(view, failure) : misdeclared(best, failure));
  }
  return findings;
}

/** A chunk that is an object of a store by another name than its key: the object is what is damaged. */
function atObject({ set }: ValuesView, { facts, chunk, error }: Failure): Finding {
  const native = chunk.reference.kind === "native" ? chunk.reference.key : undefined;
  if (native === undefined || native === chunk.key || facts.node.metadata.sharding !== undefined) return error;
  if (set.repository === undefined || error.place.kind !== "chunk") return error;
  return { ...error, place: { kind: "target", target: native, chunk: error.place } };
}

function codeOf({ change }: Suggestion) {
  if (change.kind === "move") return change.shift === 0 ? "range-length-wrong" : "range-offset-wrong";
  return change.kind === "codec-not-applied" ? "chunk-codec-skipped" : "chunk-codecs-other";
}

function misdeclared(best: Suggestion, { facts, slot, error }: Failure): Finding {
  return finding(codeOf(best), placeAt(facts, slot), { ...repairFacts(best), cause: error });
}

/** A fix as a sentence needs it. */
export function repairFacts({ change, evidence }: Suggestion): RepairFacts {
  return { change, isProven: evidence.some(({ kind }) => kind === "checksum-holds" || kind === "stream-whole") };
}

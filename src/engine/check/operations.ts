/** Whether a set is right: what is known by now, and looking further. */
import type { CallContext } from "../../core/byte-source.ts";
import type { CapsuleParts } from "../../core/capsule.ts";
import type { CheckCosts, CheckPart, CheckState, Glance } from "../../core/check.ts";
import type { Finding } from "../../core/findings/finding.ts";
import { keyAt, nodeOf } from "../../core/findings/place.ts";
import { placed } from "../../core/findings/finding.ts";
import type { ReaderComparison } from "../../core/readers/comparison.ts";
import type { ReaderVerdict } from "../../core/readers/verdict.ts";
import type { House, Session } from "../sessions.ts";
import { readingTally } from "../chunk/tally.ts";
import type { CapsuleRequest } from "./capsule.ts";
import { DEFAULT_TARGETS } from "./sources/sources-request.ts";
import { together } from "./set-checks.ts";
import type { RepairSearch, RepairSubject } from "../../core/repairs.ts";

/** References over which rules are run unasked. */
const UNASKED_ROWS = 2_000_000;

interface OfSet {
  readonly set: number;
}

interface RepairsRequest {
  readonly subjects: readonly RepairSubject[];
  /** Within less. */
  readonly isUnasked?: boolean;
}

export function checkOperations({ sessions, openZarrita, decoder, say }: House) {
  return {
    ...lookingFurther({ sessions, decoder, say }),
    ...takenAlong({ sessions }),
    /** Runs the rules over references where they were not run yet; of very many only where `isAsked`. */
    async state(
      { set: id, isAsked = false }: OfSet & { readonly isAsked?: boolean },
      context: CallContext,
    ): Promise<CheckState> {
      const session = sessions.get(id);
      const isUnchecked = !isAsked && session.set.table.rows > UNASKED_ROWS;
      const references = isUnchecked ? ofOpening(session) : await referencesOf(session, context);
      return { ...stateOf(session, references), isUnchecked };
    },
    /** Repairs of a cause, for each of its places; each was read and decodes. Throws as `findRepairs` does. */
    async repairs(
      { set: id, subjects, isUnasked = false }: OfSet & RepairsRequest,
      context: CallContext,
    ): Promise<readonly RepairSearch[]> {
      const { repairsOf } = await import("./repairs/find-repairs.ts");
      return repairsOf(sessions.get(id).set, subjects, isUnasked, context);
    },
    /** What each reader makes of the set, by rules. */
    async readers({ set: id }: OfSet, context: CallContext): Promise<readonly ReaderVerdict[]> {
      const session = sessions.get(id);
      const { readerVerdicts } = await import("./readers/reader-verdicts.ts");
      return readerVerdicts(session.set, knownOf(session), context);
    },
    /** Asked about from now on, until it is another. `undefined`: none. `sample`: chunks that zarrita reads, too. */
    async chooseReader(
      { set: id, reader, sample = 0 }: OfSet & { readonly reader: string | undefined; readonly sample?: number },
      context: CallContext,
    ): Promise<void> {
      const session = sessions.get(id);
      delete session.checks.readers;
      if (reader === undefined) return;
      const { checkReader } = await import("./readers/check-reader.ts");
      const request = { reader, sample, found: knownOf(session), openZarrita };
      session.checks.readers = await checkReader(session.set, request, context);
    },
    /** A chunk as zarrita reads it, beside ours. */
    async compareReader(
      { set: id, array, coordinates }: OfSet & { readonly array: string; readonly coordinates: readonly number[] },
      context: CallContext,
    ): Promise<ReaderComparison> {
      const { zarritaRun } = await import("./readers/zarrita-run.ts");
      const run = zarritaRun(sessions.get(id).set, openZarrita);
      try {
        return await run.compare(array, coordinates, context);
      } finally {
        run.close();
      }
    },
  };
}

/** A fault, to take along. */
function takenAlong({ sessions }: Pick<House, "sessions">) {
  return {
    /** What is needed to show a chunk's fault elsewhere. Reads the chunk once more. */
    async capsule({ set, ...request }: OfSet & CapsuleRequest, context: CallContext): Promise<CapsuleParts> {
      const { capsuleParts } = await import("./capsule.ts");
      return capsuleParts(sessions.get(set).set, request, context);
    },
    /** Files, by name, as one archive. */
    async archive({
      files,
    }: {
      readonly files: readonly (readonly [name: string, text: string])[];
    }): Promise<Uint8Array<ArrayBuffer>> {
      const { writeZipArchive } = await import("../../io/write-zip.ts");
      return writeZipArchive(new Map(files));
    },
  };
}

/** What is done when somebody asks for more than the references say. */
function lookingFurther({ sessions, decoder, say }: Pick<House, "sessions" | "decoder" | "say">) {
  return {
    /** What asking all targets and decoding all chunks, or those of an array, would cost. */
    async costs({ set: id, array }: OfSet & { readonly array?: string }, context: CallContext): Promise<CheckCosts> {
      const { set } = sessions.get(id);
      const { sourcesCost } = await import("./sources/check-sources.ts");
      const { valuesCost } = await import("./values/values-cost.ts");
      return {
        sources: await sourcesCost(set, { limit: DEFAULT_TARGETS }, context),
        values: await valuesCost(set, { chunks: "all", array }, context),
      };
    },
    /** Once a set, unasked: a few targets, and the doubtful chunks, where these cost little. */
    async glance({ set: id }: OfSet, context: CallContext): Promise<Glance> {
      const session = sessions.get(id);
      const { glanceAt } = await import("./glance.ts");
      const { checks } = session;
      checks.glance ??= await glanceAt(session, await referencesOf(session, context), decoder, context);
      say({ kind: "read", set: id });
      return checks.glance;
    },
    /** Asks targets, or a sample of them. */
    async sources({ set: id }: OfSet, context: CallContext): Promise<void> {
      const { set, checks } = sessions.get(id);
      const { checkSources } = await import("./sources/check-sources.ts");
      checks.sources = await checkSources(set, { limit: DEFAULT_TARGETS }, context);
    },
    /** Decodes all chunks, of an array or of the set, and compares their values. */
    async values({ set: id, array }: OfSet & { readonly array?: string }, context: CallContext): Promise<void> {
      const session = sessions.get(id);
      const { checkValues } = await import("./values/check-values.ts");
      keepValues(session, array, await checkValues(session.set, { chunks: "all", array, decoder }, context));
      say({ kind: "read", set: id });
    },
  };
}

/** What was known of the values of an array, or of all, is known better now. */
function keepValues({ checks, found }: Session, array: string | undefined, part: CheckPart): void {
  const isOther = (one: Finding): boolean => array !== undefined && nodeOf(one.place) !== array;
  const before = checks.values;
  checks.values =
    before === undefined ? part : { ...part, findings: [...before.findings.filter(isOther), ...part.findings] };
  for (const key of found.keys()) if (array === undefined || key.startsWith(`${array}/`)) found.delete(key);
}

/** What was found so far, by whatever. */
const knownOf = ({ set, checks, found }: Session): readonly Finding[] => [
  ...(checks.references?.part.findings ?? set.findings),
  ...[checks.sources, checks.values].flatMap((part) => part?.findings ?? []),
  ...[...found.values()].flat(),
];

const ofOpening = ({ set: { findings, coverage } }: Session): CheckPart => ({ findings, rules: coverage });

/** Of the set as it is now: one that grows is looked at again. */
async function referencesOf({ set, checks }: Session, context: CallContext): Promise<CheckPart> {
  if (checks.references?.revision !== set.revision) {
    const { checkReferences } = await import("./check-references.ts");
    const part = await checkReferences(set, context, false);
    checks.references = { revision: set.revision, part };
  }
  return checks.references.part;
}

function stateOf(session: Session, references: CheckPart): Omit<CheckState, "isUnchecked"> {
  const { set, checks, found } = session;
  const readings = [...found].flatMap(([key, findings]) => findings.map((one) => placed(one, keyAt(key))));
  const parts = [references, checks.sources, checks.values, checks.readers, { findings: readings, rules: [] }];
  const { findings, checked } = together(
    set,
    parts.filter((part) => part !== undefined),
  );
  const { arrays, targets } = readingTally(set);
  const sum = (of: "ok" | "failed") => arrays.reduce((total, array) => total + array[of], 0);
  const { reader } = checked;
  return {
    rules: checked.rules,
    findings,
    ...(reader === undefined ? {} : { reader }),
    // Every chunk that was read counts, for whatever reason it was.
    chunks: { of: set.tally.present, decoded: sum("ok"), failed: sum("failed") },
    targets: checks.sources?.targets ?? { of: checked.targets.of, asked: targets.asked, answered: targets.answering },
  };
}

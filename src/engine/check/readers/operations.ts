/** Operations on other software that reads a set: all readers by rules, the chosen one, and zarrita run for real. */
import type { CallContext } from "#core/byte-source.ts";
import type { Finding } from "#core/findings/finding.ts";
import type { ComparisonCost, ReaderComparison } from "#core/readers/comparison.ts";
import type { ReaderSample, ReaderVerdict, SampleCost } from "#core/readers/verdict.ts";
import type { EngineContext, Session } from "#engine/sessions.ts";
import type { Chunk, OpenZarrita } from "./zarrita-run.ts";
import type { ZarritaSample } from "./zarrita-sample.ts";

interface OfSet {
  readonly set: number;
}

type OfChunk = OfSet & Chunk;

export function readerOperations({ sessions, openZarrita }: Pick<EngineContext, "sessions" | "openZarrita">) {
  return {
    /** Verdict of each reader on the set: by rules, and by the run of zarrita if there was one. */
    async readers({ set: id }: OfSet, context: CallContext): Promise<readonly ReaderVerdict[]> {
      const session = sessions.get(id);
      const { readerVerdicts } = await import("./reader-verdicts.ts");
      return readerVerdicts(session.set, knownOf(session), context, sampleOf(session)?.sample);
    },
    /** Asked about from now on, until it is another. `undefined`: none. zarrita reads a few chunks, if that costs little. */
    async chooseReader(
      { set: id, reader }: OfSet & { readonly reader: string | undefined },
      context: CallContext,
    ): Promise<void> {
      const session = sessions.get(id);
      delete session.checks.reader;
      if (reader === undefined) return;
      const { FEW_CHUNKS, runSample, UNASKED_BYTES } = await import("./zarrita-sample.ts");
      if (reader === "zarrita" && sampleOf(session) === undefined) {
        const request = { chunks: FEW_CHUNKS, mostBytes: UNASKED_BYTES, openZarrita };
        keepSample(session, await runSample(session.set, request, context));
      }
      await judge(session, reader, context);
    },
    /** Cost of running zarrita on a sample; `undefined` if it has no store for such a set. */
    async readerCost({ set: id }: OfSet, context: CallContext): Promise<SampleCost | undefined> {
      const { MANY_CHUNKS, sampleCost } = await import("./zarrita-sample.ts");
      return sampleCost(sessions.get(id).set, MANY_CHUNKS, context);
    },
    /** Runs zarrita on a sample, whatever it costs. `undefined` where it has no store for such a set. */
    runReader: ({ set: id }: OfSet, context: CallContext): Promise<ReaderSample | undefined> =>
      runZarrita(sessions.get(id), openZarrita, context),
    /** Cost of comparing a chunk, or the reason why it cannot be compared. */
    async comparisonCost({ set: id, ...chunk }: OfChunk, context: CallContext): Promise<ComparisonCost> {
      const { comparisonCost } = await import("./zarrita-sample.ts");
      return comparisonCost(sessions.get(id).set, chunk, context);
    },
    /** A chunk as zarrita reads it, beside ours. */
    async compareReader({ set: id, array, coordinates }: OfChunk, context: CallContext): Promise<ReaderComparison> {
      const { zarritaRun } = await import("./zarrita-run.ts");
      const run = zarritaRun(sessions.get(id).set, openZarrita);
      try {
        return await run.compare(array, coordinates, context);
      } finally {
        run.close();
      }
    },
  };
}

/** The chosen reader is judged anew. */
export async function runZarrita(
  session: Session,
  openZarrita: OpenZarrita,
  context: CallContext,
): Promise<ReaderSample | undefined> {
  const { MANY_CHUNKS, runSample } = await import("./zarrita-sample.ts");
  const ran = await runSample(session.set, { chunks: MANY_CHUNKS, openZarrita }, context);
  keepSample(session, ran);
  await judgeAgain(session, context);
  return ran?.sample;
}

function keepSample({ set, checks }: Session, ran: ZarritaSample | undefined): void {
  if (ran === undefined) delete checks.zarrita;
  else checks.zarrita = { revision: set.revision, ran };
}

/** Sample run on the set as it is now. */
const sampleOf = ({ set, checks: { zarrita } }: Session): ZarritaSample | undefined =>
  zarrita?.revision === set.revision ? zarrita.ran : undefined;

/** Judges the chosen reader again, if there is one, from everything known so far. */
export async function judgeAgain(session: Session, context: CallContext): Promise<void> {
  const chosen = session.checks.reader?.id;
  if (chosen !== undefined) await judge(session, chosen, context);
}

async function judge(session: Session, reader: string, context: CallContext): Promise<void> {
  const { partOf } = await import("./check-reader.ts");
  const { readerVerdicts } = await import("./reader-verdicts.ts");
  const ran = sampleOf(session);
  const verdicts = await readerVerdicts(session.set, knownOf(session), context, ran?.sample);
  const verdict = verdicts.find((one) => one.reader.id === reader);
  session.checks.reader = { id: reader, part: partOf(session.set, verdict, ran) };
}

/** Findings so far, from any source. */
const knownOf = ({ set, checks, found }: Session): readonly Finding[] => [
  ...(checks.references?.part.findings ?? set.findings),
  ...[checks.sources, checks.values].flatMap((part) => part?.findings ?? []),
  ...[...found.values()].flat(),
];

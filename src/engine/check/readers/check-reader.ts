/** Checks if the chosen reader reads the set: by rules, and for zarrita by running it on a sample of chunks. */
import type { CallContext } from "#core/byte-source.ts";
import type { CheckPart } from "#core/check/check.ts";
import { finding, type Finding, nodeAt, WHOLE_SET } from "#core/findings/finding.ts";
import { type AskedReader, isListed } from "#core/readers/asked-reader.ts";
import { FOLLOWING, type Reader } from "#core/readers/rules.ts";
import { factsOf, type ReaderEffect, type ReaderVerdict } from "#core/readers/verdict.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import { readerVerdicts } from "./reader-verdicts.ts";
import { runSample, type SampleRequest, type ZarritaSample } from "./zarrita-sample.ts";

export interface ReaderRequest {
  /** Id of a reader, or `all`: then none is found fault with. */
  readonly reader: string;
  /** The versions that are asked about; absent = those of the rules. */
  readonly asked?: AskedReader;
  /** Findings about the set so far. */
  readonly found: readonly Finding[];
  /** Sample that zarrita reads itself, if it is the reader. */
  readonly sample: SampleRequest;
}

/** `verdicts`: of the readers that were asked about. */
export async function checkReaders(
  set: EngineSet,
  { reader, asked, found, sample }: ReaderRequest,
  context: CallContext,
): Promise<{ readonly part: CheckPart; readonly verdicts: readonly ReaderVerdict[] }> {
  const isAll = reader === "all";
  // The zarrita that is run has one version.
  const isOther =
    asked !== undefined && (asked.isList === true || asked.date !== undefined || asked.versions.has("zarrita"));
  const isRun = (isAll || reader === "zarrita") && sample.chunks > 0 && !isOther;
  const ran = isRun ? await runSample(set, sample, context) : undefined;
  const all = await readerVerdicts(set, found, context, ran?.sample, asked);
  const verdicts = asked === undefined ? all : all.filter((one) => isListed(one.reader.id, asked));
  if (isAll) return { part: { findings: [], rules: [] }, verdicts };
  const chosen = verdicts.filter((one) => one.reader.id === reader);
  return { part: partOf(set, chosen[0], ran), verdicts: chosen };
}

/** Findings about a reader. None if there is no such reader. */
export function partOf(set: EngineSet, verdict: ReaderVerdict | undefined, ran: ZarritaSample | undefined): CheckPart {
  if (verdict === undefined) return { findings: [], rules: [] };
  const { reader, answer, effects, run, asked } = verdict;
  const findings = effects.filter(({ effect }) => effect !== "reads").map((effect) => findingOf(reader, effect));
  if (answer === "unknown") {
    findings.push(
      finding("reader-not-known", WHOLE_SET, {
        reader: reader.id,
        format: set.format.label,
        ...(effects.length > 0 && { isUnseen: true }),
      }),
    );
  }
  const { name, version, date } = reader;
  const isRun = reader.id === "zarrita" && ran !== undefined;
  return {
    findings: [...findings, ...withoutRepeats(effects, isRun ? ran.findings : [])],
    rules: [],
    reader: {
      name,
      version,
      date,
      answer,
      ...(asked === undefined ? {} : { asked }),
      ...(run === undefined ? {} : { run }),
    },
  };
}

/** If rules already say why the reader fails on all of an array, by its metadata, its chunks need not say it again. */
function withoutRepeats(effects: readonly ReaderEffect[], ran: readonly Finding[]): readonly Finding[] {
  const certain = effects.filter(
    ({ effect, isConditional, use }) => effect !== "reads" && !isConditional && !FOLLOWING.has(use.feature),
  );
  if (certain.some(({ use }) => use.count >= use.of)) return [];
  const known = new Set(certain.flatMap(({ use }) => use.arrays ?? []));
  return ran.filter(({ place }) => place.kind !== "chunk" || !known.has(place.array));
}

function findingOf({ id }: Reader, effect: ReaderEffect): Finding {
  const facts = factsOf(id, effect);
  const [array] = facts.arrays;
  const place = array === undefined ? WHOLE_SET : nodeAt(array);
  if (effect.isConditional) return finding("reader-depends", place, facts);
  if (FOLLOWING.has(effect.use.feature)) return finding("reader-follows", place, facts);
  const code =
    effect.effect === "loss" ? "reader-loses" : effect.effect === "wrong" ? "reader-misreads" : "reader-cannot-read";
  return finding(code, place, facts);
}

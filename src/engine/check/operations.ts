/** Operations on the correctness of a set: what is known so far, and further checks. */
import type { BisectPlan, BisectResult } from "#core/bisect.ts";
import type { CallContext } from "#core/byte-source.ts";
import type { CapsuleParts } from "#core/check/capsule.ts";
import type {
  CheckCosts,
  CheckPart,
  CheckState,
  ExpectationCost,
  Glance,
  SampleCost,
  ValuesCost,
} from "#core/check/check.ts";
import { parseExpectation } from "#core/check/expectation.ts";
import { keyAt, placed, RefscopeError } from "#core/findings/finding.ts";
import { SAMPLE_SHARES } from "#core/check/sample-size.ts";
import type { PastVerdict } from "#core/check/verdict-history.ts";
import type { ProfiledArray, ValueProfile } from "#core/values/value-profile.ts";
import type { EngineContext, Session } from "../sessions.ts";
import { readingTally } from "../chunk/readings.ts";
import type { BisectAsked } from "./bisect/bisect.ts";
import type { CapsuleRequest } from "./capsule.ts";
import { judgeAgain, readerOperations, runZarrita } from "./readers/operations.ts";
import { chunksFetched, loadUnasked } from "../table/load-pages.ts";
import { DEFAULT_TARGETS, heldCost, MOST_HELD, REQUESTS, sourcesCost } from "./sources/choose-targets.ts";
import { type EngineSet, isDataFile } from "../engine-set.ts";
import type { ProfileRequest } from "./values/profile/set-profiles.ts";

/** References over which rules are run unasked. */
const UNASKED_ROWS = 2_000_000;

interface OfSet {
  readonly set: number;
}

interface ExpectRequest {
  /** A file of the owner's, by its name. */
  readonly expected: { readonly name: string; readonly text: string } | undefined;
  readonly isAsked?: boolean;
}

interface WhichValues {
  /** This array alone. */
  readonly array?: string;
  /** A sample that meets what is wrong with this share of an array's chunks; absent = all chunks. */
  readonly share?: number;
}

export function checkOperations({ sessions, openZarrita, decoder, say }: EngineContext) {
  return {
    ...lookingFurther({ sessions, decoder, openZarrita, say }),
    ...keptProfiles({ sessions }),
    ...takenAlong({ sessions }),
    ...readerOperations({ sessions, openZarrita }),
    ...expected({ sessions, decoder }),
    ...bisecting({ sessions, decoder }),
    /** Runs the rules over references where they were not run yet; of very many only where `isAsked`. */
    async state(
      { set: id, isAsked = false }: OfSet & { readonly isAsked?: boolean },
      context: CallContext,
    ): Promise<CheckState> {
      const session = sessions.get(id);
      const isUnchecked = !isAsked && session.set.table.rows > UNASKED_ROWS;
      const references = isUnchecked ? ofOpening(session) : await referencesOf(session, context);
      return { ...(await stateOf(session, references)), isUnchecked };
    },
  };
}

/** Operations that search a repository's history for the first commit with a problem. */
function bisecting({ sessions, decoder }: Pick<EngineContext, "sessions" | "decoder">) {
  const room = () => import("./bisect/bisect.ts");
  return {
    bisectPlan: async ({ set, ...asked }: OfSet & BisectAsked, context: CallContext): Promise<BisectPlan> =>
      (await room()).planBisect(sessions.get(set).set, asked, decoder, context),
    bisect: async ({ set, ...asked }: OfSet & BisectAsked, context: CallContext): Promise<BisectResult> =>
      (await room()).bisect(sessions.get(set).set, asked, decoder, context),
  };
}

/** Operations on the owner's expectations of a set. */
function expected({ sessions, decoder }: Pick<EngineContext, "sessions" | "decoder">) {
  return {
    /** The set as it is, as an expectation to be edited. */
    async writeExpectation({ set }: OfSet, context: CallContext): Promise<string> {
      const { writeExpectation } = await import("./write-expectation.ts");
      return writeExpectation(sessions.get(set).set, decoder, context);
    },
    /** Cost of reading the coordinates of an expectation; without `text`, of writing one. Throws as `expect`. */
    async expectationCost(
      { set, text }: OfSet & { readonly text?: string },
      context: CallContext,
    ): Promise<ExpectationCost> {
      const { expectationCost } = await import("./write-expectation.ts");
      const expectation = text === undefined ? undefined : parseExpectation(text);
      return expectationCost(sessions.get(set).set, expectation, context);
    },
    /**
     * From now on compared with it, until it is another; unless `isAsked`, only where its coordinates cost little to
     * read. `undefined`: with none. Throws `expectation-invalid`.
     */
    async expect({ set: id, expected, isAsked = false }: OfSet & ExpectRequest, context: CallContext): Promise<void> {
      const { set, checks } = sessions.get(id);
      const { expectation: known } = checks;
      const isSame = known !== undefined && expected?.name === known.name && expected.text === known.text;
      if (isSame && !(isAsked && known.part().findings.some(({ code }) => code === "expected-unread"))) return;
      delete checks.expectation;
      if (expected === undefined) return;
      const expectation = parseExpectation(expected.text);
      const { expectationCost, isCheap } = await import("./write-expectation.ts");
      if (!isAsked && !isCheap(await expectationCost(set, expectation, context))) return;
      const { checkExpectation } = await import("./expectation.ts");
      const part = await checkExpectation(set, { name: expected.name, expectation }, decoder, context);
      checks.expectation = { ...expected, part };
    },
  };
}

const FILE = "verdicts.json";
const MOST_BYTES = 4_000_000;

/** A fault, to take along; what was said before. */
function takenAlong({ sessions }: Pick<EngineContext, "sessions">) {
  return {
    /** Verdicts of earlier checks, from the `verdicts.json` beside it. */
    async history({ set: id }: OfSet, context: CallContext): Promise<readonly PastVerdict[]> {
      const { pastVerdicts } = await import("#core/check/verdict-history.ts");
      const { url, name, targets } = sessions.get(id).set;
      const beside = url === undefined ? FILE : new URL(FILE, url.replace(/[?#].*$/, "").replace(/\/+$/, "")).href;
      const resolution = targets.resolve(beside);
      if (resolution.kind === "unresolved") throw new RefscopeError(resolution.finding);
      const { bytes, findings } = await targets.read(resolution, undefined, { ...context, most: MOST_BYTES });
      const page = findings.find(({ code }) => code === "web-page");
      if (page !== undefined) throw new RefscopeError(page);
      return pastVerdicts(new TextDecoder().decode(bytes), url ?? name);
    },
    /** Data for a reproduction of a chunk's fault. Reads the chunk once more. */
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
      const { writeZipArchive } = await import("#io/write-zip.ts");
      return writeZipArchive(new Map(files));
    },
  };
}

/** Operations on the profiles that a deep check kept. */
function keptProfiles({ sessions }: Pick<EngineContext, "sessions">) {
  return {
    /** Arrays of which a deep check keeps how their values run. */
    async profiles({ set: id }: OfSet): Promise<readonly ProfiledArray[]> {
      const { set, checks } = sessions.get(id);
      if (checks.profiles === undefined) return [];
      const { profiledArrays } = await import("./values/profile/set-profiles.ts");
      return profiledArrays(set, checks.profiles);
    },
    /** How the values of an array run along its chunks; reads nothing. */
    async profile({ set: id, ...request }: OfSet & ProfileRequest): Promise<ValueProfile | undefined> {
      const { set, checks } = sessions.get(id);
      if (checks.profiles === undefined) return undefined;
      const { profileOf } = await import("./values/profile/set-profiles.ts");
      return profileOf(set, checks.profiles, request);
    },
  };
}

/** Checks beyond the references, made on request. */
function lookingFurther(engine: Pick<EngineContext, "sessions" | "decoder" | "openZarrita" | "say">) {
  const { sessions, decoder, openZarrita, say } = engine;
  return {
    /** Costs of checking all targets and of decoding all chunks. */
    costs: ({ set }: OfSet, context: CallContext): Promise<CheckCosts> => costs(sessions.get(set).set, context),
    /** Cost of decoding an array. */
    async arrayCost({ set: id, array }: OfSet & { readonly array: string }, context: CallContext): Promise<ValuesCost> {
      const { valuesCost } = await import("./values/values-cost.ts");
      return valuesCost(sessions.get(id).set, { chunks: "all", array }, context);
    },
    /** Samples of the set that are less than all of it, and what they would cost. */
    async samples({ set: id }: OfSet, context: CallContext): Promise<readonly SampleCost[]> {
      const { valuesCost } = await import("./values/values-cost.ts");
      const costs: SampleCost[] = [];
      for (const share of SAMPLE_SHARES) {
        const cost = await valuesCost(sessions.get(id).set, { chunks: { share } }, context);
        if (cost.chunks < cost.of) costs.push({ share, ...cost });
      }
      return costs;
    },
    /** Once a set, unasked, where these cost little: references that are not here, a few targets, the doubtful chunks. */
    async glance({ set: id }: OfSet, context: CallContext): Promise<Glance> {
      const session = sessions.get(id);
      const { glanceAt } = await import("./glance.ts");
      const { checks } = session;
      if (checks.glance !== undefined) return checks.glance;
      const requests = await loadUnasked(session.set, context);
      // Rules that are not run unasked are not run for a glance either.
      const isMuch = session.set.table.rows > UNASKED_ROWS && checks.references === undefined;
      const references = isMuch ? ofOpening(session) : await referencesOf(session, context);
      checks.glance ??= { ...(await glanceAt(session, references, decoder, context)), requests };
      say({ kind: "read", set: id });
      return checks.glance;
    },
    /** Asks targets, or a sample of them, and holds references against what the files themselves say. */
    async sources({ set: id, isAll }: OfSet & { readonly isAll?: true }, context: CallContext): Promise<void> {
      const session = sessions.get(id);
      const { askSources } = await import("./further-checks.ts");
      await askSources(session, { limit: isAll === true ? Infinity : MOST_HELD, decoder }, context);
      await judgeAgain(session, context);
    },
    /**
     * Decodes chunks, of an array or of the set, all or a sample, and compares their values. Of the set zarrita, where it
     * is the chosen reader, reads a sample too.
     */
    async values({ set: id, array, share }: OfSet & WhichValues, context: CallContext): Promise<void> {
      const session = sessions.get(id);
      const { decodeChunks } = await import("./further-checks.ts");
      await decodeChunks(session, { array, share, decoder }, context);
      say({ kind: "read", set: id });
      if (array === undefined && session.checks.reader?.id === "zarrita")
        await runZarrita(session, openZarrita, context);
      else await judgeAgain(session, context);
    },
  };
}

async function costs(set: EngineSet, context: CallContext): Promise<CheckCosts> {
  await set.refresh(context);
  const { valuesCost } = await import("./values/values-cost.ts");
  const asking = await sourcesCost(set, { limit: DEFAULT_TARGETS }, context);
  return {
    sources: isDataFile(set) || asking.requests === 0 ? asking : heldCost(set, asking, MOST_HELD),
    values: await valuesCost(set, { chunks: "all" }, context),
    files: REQUESTS,
    unknown: set.tally.states.unknown,
    fetched: chunksFetched(set),
  };
}

const ofOpening = ({ set: { findings, coverage } }: Session): CheckPart => ({ findings, rules: coverage });

/** For the current dataset; re-run when it grows. Concurrent callers share one run. */
async function referencesOf({ set, checks }: Session, context: CallContext): Promise<CheckPart> {
  for (;;) {
    if (checks.references?.revision === set.revision) return checks.references.part;
    if (checks.underWay === undefined) break;
    // Its caller may stop it: then it is begun again.
    await checks.underWay.catch(() => undefined);
    context.signal.throwIfAborted();
  }
  const { revision } = set;
  const checking = import("./check-references.ts").then(({ checkReferences }) => checkReferences(set, context, false));
  checks.underWay = checking;
  try {
    const part = await checking;
    checks.references = { revision, part };
    return part;
  } finally {
    delete checks.underWay;
  }
}

async function stateOf(session: Session, references: CheckPart): Promise<Omit<CheckState, "isUnchecked">> {
  const { together } = await import("./set-checks.ts");
  const { set, checks, found } = session;
  const readings = [...found].flatMap(([key, findings]) => findings.map((one) => placed(one, keyAt(key))));
  const { sources, held, values, witness, reader } = checks;
  const expectation = checks.expectation?.part();
  const parts = [
    references,
    sources,
    held,
    values,
    witness,
    expectation,
    reader?.part,
    { findings: readings, rules: [] },
  ];
  const { findings, checked } = together(
    set,
    parts.filter((part) => part !== undefined),
  );
  const { arrays, targets } = readingTally(set, [references, sources, held, values]);
  const sum = (of: "ok" | "failed" | "unbuilt" | "unreached") =>
    arrays.reduce((total, array) => total + (array[of] ?? 0), 0);
  const [unbuilt, unreached] = [sum("unbuilt"), sum("unreached")];
  return {
    ...checked,
    findings,
    // Every chunk that was read counts, for whatever reason it was.
    chunks: {
      of: set.tally.present,
      decoded: sum("ok"),
      failed: sum("failed"),
      ...(unbuilt > 0 && { unbuilt }),
      ...(unreached > 0 && { unreached }),
    },
    targets: checks.sources?.targets ?? { of: checked.targets.of, asked: targets.asked, answered: targets.answering },
  };
}

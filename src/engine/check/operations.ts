/** Whether a set is right: what is known by now, and looking further. */
import type { CallContext } from "../../core/byte-source.ts";
import type { CapsuleParts } from "../../core/capsule.ts";
import type { CheckPart, CheckState } from "../../core/check.ts";
import { keyAt } from "../../core/findings/place.ts";
import { placed } from "../../core/findings/finding.ts";
import type { House, Session } from "../sessions.ts";
import { readingTally } from "../chunk/tally.ts";
import type { CapsuleRequest } from "./capsule.ts";
import { together } from "./set-checks.ts";

/** References over which rules are run unasked. */
const UNASKED_ROWS = 2_000_000;

interface OfSet {
  readonly set: number;
}

export function checkOperations({ sessions }: House) {
  return {
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
  const parts = [references, checks.sources, checks.values, { findings: readings, rules: [] }];
  const { findings, checked } = together(
    set,
    parts.filter((part) => part !== undefined),
  );
  const { arrays, targets } = readingTally(set);
  const sum = (of: "ok" | "failed") => arrays.reduce((total, array) => total + array[of], 0);
  return {
    rules: checked.rules,
    findings,
    // Every chunk that was read counts, for whatever reason it was.
    chunks: { of: set.tally.present, decoded: sum("ok"), failed: sum("failed") },
    targets: checks.sources?.targets ?? { of: checked.targets.of, asked: targets.asked, answered: targets.answering },
  };
}

/** Tells if files are one dataset: facts of each, findings against it, and the plan of putting them together. */
import type { CallContext } from "#core/byte-source.ts";
import { type FactsOf, type Finding, placeText } from "#core/findings/finding.ts";
import { groupedBy } from "#core/basics.ts";
import { isLeftOut } from "#core/findings/out-of-reach.ts";
import { type Asked, barrierFacts, type Preflight, verdictOf, worstFirst } from "#core/check/preflight.ts";
import type { ChunkDecoder } from "../chunk/chunk-decoder.ts";
import { eachAtOnce } from "../kept.ts";
import { unreadInPython } from "../write/writable.ts";
import { barrier } from "./groups.ts";
import { withChosen, type Plan, planOf } from "./plan.ts";
import { newDimension, placeFiles, type Placed } from "./place-files.ts";
import { contentReader, factsOf, type GivenFile, sourcedFile, type SourcedFile } from "./sourced-file.ts";
import { withScalarDimension } from "./scalar-dimension.ts";
import { identityBarriers, variableBarriers } from "./variable-barriers.ts";

export interface Examined {
  readonly plan: Plan;
  readonly placed: Placed;
  readonly answer: Preflight;
}

/** Files that are read side by side. */
export const AT_ONCE = 6;

export async function examine(
  given: readonly GivenFile[],
  asked: Asked,
  decoder: ChunkDecoder,
  context: CallContext,
): Promise<Examined> {
  const files: SourcedFile[] = [];
  await eachAtOnce(given.entries(), AT_ONCE, async ([at, one]) => {
    files[at] = await sourcedFile(one, decoder, context);
  });
  return examineFiles(files, asked, undefined, decoder, context);
}

/** `otherwise`: a new dimension, where nothing tells along which they lie. */
export async function examineFiles(
  given: readonly SourcedFile[],
  asked: Asked,
  otherwise: string | undefined,
  decoder: ChunkDecoder,
  context: CallContext,
): Promise<Examined> {
  const chosen = withChosen(given, asked, asked.along);
  const { files, along } = await withScalarDimension(chosen, asked.along, decoder, context);
  const plan = planOf(files, along, otherwise);
  const placed = placedBy(plan, files);
  const identical = await identityBarriers(placed.order, plan, contentReader(decoder, context));
  const found = [
    ...damaged(files),
    ...leftOut(files),
    ...unread(files).filter((one) => !barrierFacts(one).variables.every((path) => plan.isRewritten(path))),
    ...placed.barriers,
    ...variableBarriers(placed.order, plan),
    ...identical.barriers,
  ];
  const answer: Preflight = {
    verdict: verdictOf(found),
    how: plan.how,
    ...(plan.along === undefined ? {} : { along: plan.along }),
    findings: worstFirst(found),
    notCompared: identical.notCompared,
    files: [...new Set([...placed.order, ...files])].map(factsOf),
  };
  return { plan, placed, answer };
}

/** Findings about damaged files, which may have held more. */
function damaged(files: readonly SourcedFile[]): readonly Finding[] {
  const isDamage = ({ code }: Finding) => code === "data-file-damaged" || code === "data-file-cut";
  const those = files.filter(({ source }) => source.findings.some(isDamage));
  return those.length === 0 ? [] : [barrier("file-damaged", those, "", {})];
}

/** No reference can stand for these. */
function leftOut(files: readonly SourcedFile[]): readonly Finding[] {
  const absent = files.flatMap(({ name, source }) =>
    source.findings
      .filter(isLeftOut)
      .flatMap(({ code, place }) => (place.kind === "node" ? [{ name, path: place.path, why: code }] : [])),
  );
  return Array.from(groupedBy(absent, ({ path, why }) => `${path}\n${why}`).values(), (those) => {
    const [{ path, why }] = those;
    return barrier("left-out", those, path, { why });
  });
}

/** These are handed on as they are stored. */
function unread(files: readonly SourcedFile[]): readonly Finding[] {
  const those = files.flatMap(({ name, set, arrays }) =>
    unreadInPython(set)
      .map(({ place, facts }) => ({ name, path: placeText(place), facts: facts as FactsOf<"unread-in-python"> }))
      .filter(({ path }) => arrays.has(path)),
  );
  return Array.from(groupedBy(those, ({ path, facts }) => `${path}\n${facts.codec}`).values(), (alike) => {
    const [{ path, facts }] = alike;
    return barrier("unread-in-python", alike, path, facts);
  });
}

function placedBy({ how, along }: Plan, files: readonly SourcedFile[]): Placed {
  if (along === undefined) return { order: files, barriers: [] };
  return how === "stack" ? newDimension(files, along) : placeFiles(files, along);
}

/** Whether files are one dataset: facts of each, what stands against it, and how they would be put together. */
import type { CallContext } from "../../core/byte-source.ts";
import { type Finding, placeText } from "../../core/findings/finding.ts";
import { groupedBy } from "../../core/grouped.ts";
import { isLeftOut } from "../../core/findings/out-of-reach.ts";
import type { Barrier, Preflight } from "../../core/check/preflight.ts";
import type { ChunkDecoder } from "../chunk/chunk-decoder.ts";
import { eachAtOnce } from "../kept.ts";
import { unreadInPython } from "../write/unread-in-python.ts";
import { barrierOf, filesWords } from "./groups.ts";
import { newDimension } from "./new-dimension.ts";
import { placeFiles, type Placed } from "./place-files.ts";
import { type Plan, planOf } from "./plan.ts";
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

/** `along`: a dimension of the files, or of a new one; absent = the one along which they differ. */
export async function examine(
  given: readonly GivenFile[],
  along: string | undefined,
  decoder: ChunkDecoder,
  context: CallContext,
): Promise<Examined> {
  const files: SourcedFile[] = [];
  await eachAtOnce([...given.entries()], AT_ONCE, async ([at, one]) => {
    files[at] = await sourcedFile(one, decoder, context);
  });
  return examineFiles(files, along, undefined, decoder, context);
}

/** `otherwise`: a new dimension, where nothing tells along which they lie. */
export async function examineFiles(
  given: readonly SourcedFile[],
  asked: string | undefined,
  otherwise: string | undefined,
  decoder: ChunkDecoder,
  context: CallContext,
): Promise<Examined> {
  const { files, along } = await withScalarDimension(given, asked, decoder, context);
  const plan = planOf(files, along, otherwise);
  const placed = placedBy(plan, files);
  const identical = await identityBarriers(placed.order, plan, contentReader(decoder, context));
  const found = [
    ...damaged(files),
    ...leftOut(files),
    ...unread(files).filter(({ variables }) => !variables.every((path) => plan.isRewritten(path))),
    ...placed.barriers,
    ...variableBarriers(placed.order, plan),
    ...identical.barriers,
  ];
  const worst = (["error", "warning", "info"] as const).map((severity) =>
    found.filter((one) => one.severity === severity),
  );
  const answer: Preflight = {
    verdict: (worst[0]?.length ?? 0) > 0 ? "no" : (worst[1]?.length ?? 0) > 0 ? "if" : "yes",
    how: plan.how,
    ...(plan.along === undefined ? {} : { along: plan.along }),
    barriers: worst.flat(),
    notCompared: identical.notCompared,
    files: [...new Set([...placed.order, ...files])].map(factsOf),
  };
  return { plan, placed, answer };
}

/** What such a file says may not be all that it held. */
function damaged(files: readonly SourcedFile[]): readonly Barrier[] {
  const isDamage = ({ code }: Finding) => code === "data-file-damaged" || code === "data-file-cut";
  const those = files.filter(({ source }) => source.findings.some(isDamage));
  const message = `${filesWords(those)} is damaged: arrays or chunks of it may be missing.`;
  const advice = "Fetch it again, or leave it out; check says where it is damaged.";
  return those.length === 0 ? [] : [barrierOf("file-damaged", those, "", message, advice)];
}

const WHY: Partial<Record<Finding["code"], string>> = {
  "hdf5-elsewhere": "its values lie in other files",
  "hdf5-external-link": "it is a link to another file",
  "grib-points-unknown": "its messages do not say how many points they have",
  "hdf5-filter-unknown": "Zarr has no codec for one of its filters",
};

/** No reference can stand for these. */
function leftOut(files: readonly SourcedFile[]): readonly Barrier[] {
  const absent = files.flatMap(({ name, source }) =>
    source.findings
      .filter(isLeftOut)
      .flatMap(({ code, place }) =>
        place.kind === "node"
          ? [{ name, path: place.path, why: WHY[code] ?? "Zarr has no data type for its elements" }]
          : [],
      ),
  );
  return Array.from(groupedBy(absent, ({ path, why }) => `${path}\n${why}`).values(), (those) => {
    const [{ path, why }] = those;
    const message = `${path} of ${filesWords(those)} is left out: ${why}.`;
    return barrierOf("left-out", those, path, message, "Read it from the files themselves, with h5py or netCDF4.");
  });
}

/** These are handed on as they are stored. */
function unread(files: readonly SourcedFile[]): readonly Barrier[] {
  const those = files.flatMap(({ name, set }) =>
    unreadInPython(set).map(({ place, facts }) => ({ name, path: placeText(place), codec: facts["codec"] as string })),
  );
  return Array.from(groupedBy(those, ({ path, codec }) => `${path}\n${codec}`).values(), (alike) => {
    const [{ path, codec }] = alike;
    const message = `${path} of ${filesWords(alike)} is encoded with ${codec}, of which Python does not give back the elements.`;
    return barrierOf("unread-in-python", alike, path, message, "Read it from the files themselves, or with Refscope.");
  });
}

function placedBy({ how, along }: Plan, files: readonly SourcedFile[]): Placed {
  if (along === undefined) return { order: files, barriers: [] };
  return how === "stack" ? newDimension(files, along) : placeFiles(files, along);
}

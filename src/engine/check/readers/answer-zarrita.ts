/** Requests of zarrita's, answered by what `io/` reads: as a server answers them, with all that zarrita does not look at. */
import type { ByteRange, CallContext, ReadBytes } from "../../../core/byte-source.ts";
import { isAbort, RefscopeError } from "../../../core/errors.ts";
import type { Resolution } from "../../../core/location.ts";
import type { Resolved } from "../../../io/sources.ts";
import type { EngineSet } from "../../engine-set.ts";
import type { ForeignPlace } from "./zarrita-source.ts";
import type { ZarritaRequest, ZarritaResponse } from "./zarrita-messages.ts";

/** Bytes that may still be read for zarrita. */
export interface ByteBudget {
  left: number;
  /** Sizes of targets that were learnt, by what zarrita asks for. */
  readonly sizes: Map<string, number>;
}

/** What `fetch` would throw is thrown, as an error with its words. */
export async function answerZarrita(
  set: EngineSet,
  place: ForeignPlace | undefined,
  { url, method, range }: ZarritaRequest,
  budget: ByteBudget,
  context: CallContext,
): Promise<ZarritaResponse> {
  const resolution = place === undefined ? undefined : resolved(set, place);
  if (resolution === undefined || resolution.kind === "unresolved") {
    // A store that has no such object says so.
    if (place?.kind === "object") return { status: 404 };
    throw new Error("Failed to fetch");
  }
  try {
    if (method === "HEAD") return await headOf(set, resolution, { url, sizes: budget.sizes }, context);
    return await bytesOf(set, resolution, parseRange(range), budget, context);
  } catch (error) {
    if (isAbort(error) && context.signal.aborted) throw error;
    return withoutBytes(error);
  }
}

const resolved = (set: EngineSet, place: ForeignPlace): Resolution | undefined =>
  place.kind === "target" ? set.targets.resolve(place.target) : set.resolveKey?.(place.key);

/** By HEAD, where a range does not tell: other origins may hide Content-Range, but not Content-Length. */
async function headOf(
  { targets }: EngineSet,
  resolution: Resolved,
  { url, sizes }: { readonly url: string; readonly sizes: Map<string, number> },
  context: CallContext,
): Promise<ZarritaResponse> {
  const known = sizes.get(url);
  if (known !== undefined) return { status: 200, length: known };
  const {
    size,
    status = 0,
    failure,
  } = await targets.probe(resolution, { furthest: undefined, needsSize: true }, context);
  if (size !== undefined) {
    sizes.set(url, size);
    return { status: 200, length: size };
  }
  if (status >= 400 && status < 600) return { status };
  throw new Error(failure === undefined ? "The size of the target could not be learnt." : "Failed to fetch");
}

async function bytesOf(
  set: EngineSet,
  resolution: Resolution,
  range: ByteRange | undefined,
  budget: ByteBudget,
  context: CallContext,
): Promise<ZarritaResponse> {
  const { bytes, request } = await readWithin(set, resolution, range, budget, context);
  const isWhole = range === undefined || request.rangeHonoured === false;
  if (range === undefined || !isWhole) return { status: isWhole ? 200 : 206, bytes };
  // The server sent the whole target: zarrita takes that for the range.
  const whole = await readWithin(set, resolution, undefined, budget, context);
  return { status: 200, bytes: whole.bytes };
}

async function readWithin(
  { targets }: EngineSet,
  resolution: Resolution,
  range: ByteRange | undefined,
  budget: ByteBudget,
  context: CallContext,
): Promise<ReadBytes> {
  if ((range?.length ?? 0) > budget.left) throw new Error(TOO_MUCH);
  const read = await inside(targets, resolution, range, context);
  budget.left -= read.bytes.length;
  if (budget.left < 0) throw new Error(TOO_MUCH);
  return read;
}

const TOO_MUCH = "More bytes were asked for than a comparison may read.";

/** Servers answer with what there is of a range. */
async function inside(
  targets: EngineSet["targets"],
  resolution: Resolution,
  range: ByteRange | undefined,
  context: CallContext,
): Promise<ReadBytes> {
  try {
    return await targets.read(resolution, range, context);
  } catch (error) {
    const there = range === undefined ? undefined : thereOf(error);
    if (there === undefined || there <= 0) throw error;
    return targets.read(resolution, { offset: range?.offset ?? 0, length: there }, context);
  }
}

function thereOf(error: unknown): number | undefined {
  if (!(error instanceof RefscopeError) || error.code !== "short-read") return undefined;
  const { received } = error.finding.facts;
  return typeof received === "number" ? received : undefined;
}

/** The status that came instead; where none did, `fetch` throws. */
function withoutBytes(error: unknown): ZarritaResponse {
  if (!(error instanceof RefscopeError)) throw error;
  const { status } = error.finding.facts;
  if (typeof status === "number" && status >= 200 && status < 600) return { status };
  if (error.code === "range-past-end") return { status: 416 };
  if (error.code === "file-not-given") return { status: 404 };
  throw new Error("Failed to fetch");
}

/** As `Range: bytes=FIRST-LAST` says it; anything else is no range. */
function parseRange(header: string | undefined): ByteRange | undefined {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(header ?? "") ?? [];
  if (first === undefined || last === undefined) return undefined;
  return { offset: Number(first), length: Number(last) - Number(first) + 1 };
}

/** Whether the chosen reader reads the set: by rules, and for zarrita by running it on a few chunks. */
import type { CallContext } from "../../../core/byte-source.ts";
import type { CheckPart } from "../../../core/check.ts";
import { coordinatesOf, gridOf } from "../../../core/chunk-grid.ts";
import { finding, type Finding } from "../../../core/findings/finding.ts";
import { chunkAt, nodeAt, WHOLE_SET } from "../../../core/findings/place.ts";
import type { ArrayNode } from "../../../core/hierarchy.ts";
import type { ReaderComparison } from "../../../core/readers/comparison.ts";
import { readerOf, type Reader } from "../../../core/readers/rules.ts";
import type { ReaderEffect, ReaderSample } from "../../../core/readers/verdict.ts";
import type { EngineSet } from "../../engine-set.ts";
import { readerVerdicts } from "./reader-verdicts.ts";
import { canRun, zarritaRun, type OpenZarrita } from "./zarrita-run.ts";

export interface ReaderRequest {
  /** Id of a reader. */
  readonly reader: string;
  /** What is known of the set besides. */
  readonly found: readonly Finding[];
  /** Most chunks that zarrita reads, too; spread over the arrays. */
  readonly sample: number;
  readonly openZarrita: OpenZarrita;
}

/** Nothing where there is no such reader. */
export async function checkReader(set: EngineSet, request: ReaderRequest, context: CallContext): Promise<CheckPart> {
  const reader = readerOf(request.reader);
  if (reader === undefined) return { findings: [], rules: [] };
  const verdicts = await readerVerdicts(set, request.found, context);
  const verdict = verdicts.find((one) => one.reader === reader);
  const effects = verdict?.effects ?? [];
  const answer = verdict?.answer ?? "unknown";
  const findings = effects.filter(({ effect }) => effect !== "reads").map((effect) => findingOf(reader, effect));
  if (answer === "unknown") {
    findings.push(finding("reader-not-known", WHOLE_SET, { reader: reader.id, format: set.format.label }));
  }
  const ran = reader.id === "zarrita" && request.sample > 0 ? await runSample(set, request, context) : undefined;
  const { name, version, date } = reader;
  return {
    findings: [...findings, ...withoutRepeats(effects, ran?.findings ?? [])],
    rules: [],
    reader: { name, version, date, answer, ...(ran === undefined ? {} : { run: ran.sample }) },
  };
}

/** Where rules say already why it fails on all of an array, its chunks need not say it again. */
function withoutRepeats(effects: readonly ReaderEffect[], ran: readonly Finding[]): readonly Finding[] {
  const certain = effects.filter(({ effect, isConditional }) => effect !== "reads" && !isConditional);
  if (certain.some(({ use }) => use.count >= use.of)) return [];
  const known = new Set(certain.flatMap(({ use }) => use.arrays ?? []));
  return ran.filter(({ place }) => place.kind !== "chunk" || !known.has(place.array));
}

function findingOf({ id }: Reader, { rule, effect, isConditional, use }: ReaderEffect): Finding {
  const { count, of, unit, first, error, arrays = [] } = use;
  const facts = { reader: id, rule, concerned: count, of, unit, first, arrays, error };
  const place = arrays[0] === undefined ? WHOLE_SET : nodeAt(arrays[0]);
  if (isConditional) return finding("reader-depends", place, facts);
  const code = effect === "loss" ? "reader-loses" : effect === "wrong" ? "reader-misreads" : "reader-cannot-read";
  return finding(code, place, facts);
}

interface Sampled {
  readonly sample: ReaderSample;
  readonly findings: readonly Finding[];
}

/** `undefined` where zarrita has no store for such a set. */
async function runSample(
  set: EngineSet,
  { sample, openZarrita }: ReaderRequest,
  context: CallContext,
): Promise<Sampled | undefined> {
  if (!canRun(set)) return undefined;
  const run = zarritaRun(set, openZarrita);
  const chunks = sampleChunks(set, sample);
  const compared: (readonly [chunk: Chunk, found: ReaderComparison])[] = [];
  try {
    for (const [done, chunk] of chunks.entries()) {
      context.report({ label: "Comparing with zarrita", done, total: chunks.length, unit: "chunks" });
      compared.push([chunk, await run.compare(chunk.array, chunk.coordinates, context)]);
    }
  } finally {
    run.close();
  }
  const judged = compared.filter(([, found]) => isJudged(found));
  const of = (kinds: readonly ReaderComparison["kind"][]) =>
    judged.filter(([, { kind }]) => kinds.includes(kind)).length;
  return {
    sample: {
      compared: judged.length,
      same: of(["same"]),
      different: of(["differs", "made-up"]),
      failed: of(["error"]),
    },
    findings: judged.flatMap(([chunk, found]) => comparisonFindings("zarrita", chunk, found)),
  };
}

/** Where both fail, nothing is learnt of the reader. */
const isJudged = (found: ReaderComparison): boolean =>
  found.kind !== "not-run" && (found.kind !== "error" || found.ours === undefined);

interface Chunk {
  readonly array: string;
  readonly coordinates: readonly number[];
}

/** Of each array the first, the last and those in between; of the largest arrays where there are more than chunks. */
export function sampleChunks(set: EngineSet, most: number): readonly Chunk[] {
  const arrays = [...set.hierarchy.nodes.values()].filter((node): node is ArrayNode => node.kind === "array");
  const cellsOf = ({ path }: ArrayNode): number => set.tally.arrays.get(path)?.cells ?? 0;
  const sorted = arrays.toSorted((one, other) => cellsOf(other) - cellsOf(one)).slice(0, most);
  const wanted = Math.floor(most / Math.max(1, sorted.length));
  const rest = most - wanted * sorted.length;
  const chunks = sorted.flatMap((node, at) => {
    const { path, metadata } = node;
    const grid = gridOf(metadata.shape, metadata.chunks);
    const cells = cellsOf(node);
    const take = Math.min(cells, wanted + Number(at < rest));
    const ordinals = Array.from({ length: take }, (_, at) => Math.floor((at * (cells - 1)) / Math.max(1, take - 1)));
    return ordinals.map((ordinal) => ({ array: path, coordinates: coordinatesOf(grid, ordinal) }));
  });
  return chunks;
}

/** What a comparison says, where the reader does not give what Python gives. */
export function comparisonFindings(
  reader: string,
  { array, coordinates }: Chunk,
  found: ReaderComparison,
): readonly Finding[] {
  const place = chunkAt(array, coordinates);
  switch (found.kind) {
    case "same":
    case "not-run":
      return [];
    case "differs": {
      const { count: differing, of, first, ours, theirs } = found;
      return [finding("reader-values-differ", place, { reader, differing, of, first, ours, theirs })];
    }
    case "error":
      if (found.ours !== undefined) return [];
      return [finding("reader-fails", place, { reader, error: found.error })];
    case "made-up":
      return [finding("reader-makes-up", place, { reader, first: found.first, of: found.of, cause: found.ours })];
  }
}

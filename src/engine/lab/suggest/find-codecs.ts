/** Repairs of the list of codecs, for chunks that do not decode as declared: what gives exactly the bytes is a candidate. */
import type { TrialStep } from "../../../core/lab.ts";
import { byteCount, listed, proofOf, type Candidate, type Search } from "./candidate.ts";
import {
  bytePlaces,
  codecsOf,
  declaredSteps,
  elementSizes,
  elementSizeOf,
  inserted,
  newStep,
  permuted,
  shufflePlace,
  shuffleStep,
  switchedOff,
  withElementSize,
} from "./chains.ts";
import { isChecksum, isCompressor, isRequired, recognised } from "./codec-roles.ts";
import { bareName } from "../../../codecs/names.ts";
import { CHECKSUMS } from "../../../codecs/find-codec.ts";

interface Proposal {
  readonly kind: Candidate["kind"];
  readonly title: string;
  readonly steps: readonly TrialStep[];
  readonly evidence: readonly string[];
  /** Taken from the score: for readings that change more. */
  readonly price: number;
}

/** A compressed chunk is as long as the plain one by a rare chance only. */
const AS_STORED = {
  score: 0.7,
  evidence: "The stored bytes are exactly as many as those of the plain chunk.",
} as const;

/** Tries a list of codecs on the declared range. */
export async function tryProposal(search: Search, proposal: Proposal): Promise<Candidate | undefined> {
  const { attempts } = search;
  if (!attempts.mayGoOn()) return undefined;
  const attempt = await attempts.run(codecsOf(proposal.steps));
  const bytes = attempt.stages.at(-1);
  if (!attempt.fits || bytes === undefined) return undefined;
  const { kind, title, steps, evidence, price } = proposal;
  const proof = proofOf(attempt);
  const isPlain = kind === "codec-not-applied" && proof.evidence.length === 0 && attempts.expected > 0;
  const size = isPlain && attempt.stages[0]?.length === attempts.expected ? AS_STORED : undefined;
  return {
    kind,
    title,
    trial: { steps },
    bytes,
    evidence: [...evidence, ...proof.evidence, ...(size === undefined ? [] : [size.evidence])],
    score: Math.max(proof.score, size?.score ?? 0) - price,
  };
}

async function tryAll(search: Search, proposals: readonly Proposal[]): Promise<readonly Candidate[]> {
  const found: Candidate[] = [];
  for (const proposal of proposals) {
    const candidate = await tryProposal(search, proposal);
    if (candidate !== undefined) found.push(candidate);
  }
  return found;
}

const PRICE_A_STEP = 0.004;

/** Declared codecs that were not applied to this chunk: HDF5 stores chunks without a filter that did not help. */
export function notApplied(search: Search): Promise<readonly Candidate[]> {
  const { metadata } = search;
  return tryAll(search, switchedOff(declaredSteps(metadata), metadata.zarrFormat).map(leftOut));
}

export function leftOut(steps: readonly TrialStep[]): Proposal {
  const names = steps.filter(({ off }) => off === true).map(({ id }) => bareName(id));
  const title = `Read this chunk without ${listed(names)}`;
  const verb = names.length === 1 ? "was" : "were";
  const evidence = [
    `With ${listed(names)}, which ${verb} then not applied to this chunk, it does not decode; without, it does.`,
  ];
  return { kind: "codec-not-applied", title, steps, evidence, price: PRICE_A_STEP * names.length };
}

/** Checksums of 4 bytes that are not declared, beside the bytes of any stage. */
export function undeclaredChecksums(search: Search): Promise<readonly Candidate[]> {
  const { metadata, declared } = search;
  const steps = declaredSteps(metadata);
  const places = bytePlaces(steps, metadata.zarrFormat).filter((at) => at < declared.stages.length);
  const proposals = places.flatMap((at) => {
    const bytes = declared.stages[at] ?? new Uint8Array();
    return checksumsOf(bytes).map(({ id, name, place }): Proposal => {
      const where = place === "start" ? "first" : "last";
      const of = `${byteCount(bytes.length - 4)} ${where === "last" ? "before" : "after"} them`;
      return {
        kind: "codec-undeclared",
        title: `Declare ${name}: the ${where} 4 bytes are its checksum`,
        steps: inserted(steps, at, newStep(id, metadata.zarrFormat)),
        evidence: [`The ${where} 4 bytes are the ${name} checksum of the ${of}.`],
        price: 0,
      };
    });
  });
  return tryAll(search, proposals);
}

function checksumsOf(bytes: Uint8Array): typeof CHECKSUMS {
  if (bytes.length < 5 || bytes.every((byte) => byte === 0)) return [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return CHECKSUMS.filter(({ place, sum }) => {
    const data = place === "start" ? bytes.subarray(4) : bytes.subarray(0, -4);
    return sum(data) === view.getUint32(place === "start" ? 0 : bytes.length - 4, true);
  });
}

/** Compressors that are not declared, where the stored bytes begin with their signature. */
export function undeclaredCompressors(search: Search): Promise<readonly Candidate[]> {
  const { metadata, declared, attempts } = search;
  const { zarrFormat, dataType } = metadata;
  const steps = declaredSteps(metadata);
  const stored = declared.stages[0] ?? new Uint8Array();
  const names = recognised(stored, attempts.expected).filter((name) => !steps.some(({ id }) => bareName(id) === name));
  const others = steps.filter(({ id }) => !isCompressor(id) && !isChecksum(id));
  const proposals = names.flatMap((name) => {
    const step = newStep(name, zarrFormat);
    const shuffled = others.some(({ id }) => bareName(id) === "shuffle") || dataType.itemSize < 2;
    const bare = others.filter((one) => isRequired(one, zarrFormat));
    const lists = [
      [step, ...steps],
      [step, ...others],
      ...(shuffled ? [[step, ...bare]] : [[step, shuffleStep(dataType.itemSize, zarrFormat), ...others]]),
    ];
    return lists.map((list, at): Proposal => {
      const title = at === 2 && !shuffled ? `Declare ${name} and shuffle` : `Declare ${name}`;
      const evidence = [`The stored bytes begin like ${name}.`];
      return { kind: "codec-undeclared", title, steps: list, evidence, price: PRICE_A_STEP * (at + 1) };
    });
  });
  return tryAll(search, proposals);
}

export function otherOrders(search: Search): Promise<readonly Candidate[]> {
  const lists = permuted(declaredSteps(search.metadata));
  const proposals = lists.map((steps): Proposal => {
    const names = steps.map(({ id }) => bareName(id));
    const title = `Decode in the order ${listed(names)}`;
    const evidence = ["In this order every step decodes; in the declared one they do not."];
    return { kind: "codec-order", title, steps, evidence, price: PRICE_A_STEP * 2 };
  });
  return tryAll(search, proposals);
}

/** Readings with other element sizes of shuffle, or with one that is not declared. */
export function shuffleProposals({ metadata, attempts }: Pick<Search, "metadata" | "attempts">): readonly Proposal[] {
  const { decoding, dataType, zarrFormat } = metadata;
  const steps = declaredSteps(metadata);
  const sizes = dataType.itemSize < 2 ? [] : elementSizes(dataType.itemSize, attempts.expected);
  const at = decoding.findIndex(({ id }) => bareName(id) === "shuffle");
  const codec = decoding[at];
  const price = (size: number) => (size === dataType.itemSize ? 0 : PRICE_A_STEP);
  if (codec === undefined) {
    return sizes
      .filter((size) => size > 1)
      .map((size) => ({
        kind: "codec-undeclared",
        title: `Declare shuffle, ${size}-byte elements`,
        steps: inserted(steps, shufflePlace(steps), shuffleStep(size, zarrFormat)),
        evidence: [],
        price: price(size),
      }));
  }
  const declared = elementSizeOf(codec);
  return sizes
    .filter((size) => size !== declared && size > 1)
    .map((size) => ({
      kind: "element-size",
      title: `Shuffle with ${size}-byte elements instead of ${declared}-byte ones`,
      steps: steps.map((step, index) => (index === at ? withElementSize(codec, size) : step)),
      evidence: [],
      price: price(size),
    }));
}

export function otherElementSizes(search: Search): Promise<readonly Candidate[]> {
  const isDeclared = search.metadata.decoding.some(({ id }) => bareName(id) === "shuffle");
  return isDeclared ? tryAll(search, shuffleProposals(search)) : Promise.resolve([]);
}

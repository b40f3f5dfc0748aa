/** How well a range fits the chunk: by what decoding it verified, and by the references around it. */
import { proofOf } from "../suggest/candidate.ts";
import type { RepairEvidence } from "#core/repair.ts";
import { claimOn, type Claims } from "./claims.ts";
import type { NearChunk, TargetVote } from "./grid-place.ts";
import type { RangeCandidate } from "./range-candidates.ts";

export interface Surroundings {
  /** The reference as it is, where it is a range. */
  readonly own: OwnReference;
  readonly claims: ReadonlyMap<string | null, Claims | undefined>;
  readonly votes: readonly TargetVote[];
  /** Chunks of the array before and behind it, in the target. */
  readonly near: (target: string | null) => { readonly before?: NearChunk; readonly after?: NearChunk };
  /** Places where chunks beside it begin in other targets with a similar layout. */
  readonly alike: (target: string | null) => readonly AlikePlace[];
  /** Offsets in the middle of the chunks before and behind it, or one step behind the last two. */
  readonly evenOffsets: (target: string | null) => readonly EvenOffset[];
  readonly keyOf: (row: number) => string;
  readonly isOwnUnread: boolean;
  readonly nearNames: readonly string[];
}

export interface OwnReference {
  readonly target?: string | null;
  readonly offset?: number;
  readonly length?: number;
}

export interface AlikePlace {
  readonly offset: number;
  readonly row: number;
  readonly target: string | null;
}

export interface EvenOffset {
  readonly offset: number;
  readonly step: number;
}

export interface Weighed extends RangeCandidate {
  readonly score: number;
  readonly evidence: readonly RepairEvidence[];
  /** A checksum holds, or a stream is whole. */
  readonly proof: "checksum" | "stream" | "size";
  /** True if its place shows that it is this chunk's. */
  readonly isPlaced: boolean;
  /** On how many sides another reference adjoins. */
  readonly sides: number;
}

/** `undefined` where another reference has bytes of it. */
export function weigh(candidate: RangeCandidate, around: Surroundings): Weighed | undefined {
  const { target, offset, length, attempt } = candidate;
  const claims = around.claims.get(target);
  if (claims === undefined || claimOn(claims, offset, offset + length) !== undefined) return undefined;
  const proof = attempt.verified.length > 0 ? "checksum" : attempt.sound.length > 0 ? "stream" : "size";
  const place = placement(candidate, claims, around);
  const like = likenessOf(candidate, around.own);
  const vote = around.votes.find((one) => one.target === target);
  const most = around.votes[0]?.votes ?? 0;
  const score =
    PROOF[proof] +
    place.score +
    like.score +
    (vote === undefined ? 0 : (2 * vote.votes) / Math.max(1, most)) +
    nameScore(target, around);
  const evidence: readonly RepairEvidence[] = [
    ...targetEvidence(target, around, vote),
    ...proofOf(attempt).evidence,
    ...place.evidence,
    { kind: "unclaimed" },
  ];
  const isKept = like.isSameOffset && (place.sides > 0 || place.inOrder || proof !== "size");
  const isBeside = proof !== "size" && place.sides > 0 && place.inOrder;
  const isMisspelt =
    nameScore(target, around) > 0 && vote !== undefined && around.own.offset === offset && like.isSameLength;
  const isMoved = proof !== "size" && like.isNear && like.isSameLength;
  // Any place of any target decodes a plain chunk: it must be one in which its neighbours are.
  const isAtHome = proof !== "size" || like.isSameTarget || (vote?.votes ?? 0) >= AT_HOME;
  const isPlaced = isAtHome && (place.sides === 2 || place.isExpected || isKept || isBeside || isMoved || isMisspelt);
  return { ...candidate, score, evidence, proof, isPlaced, sides: place.sides };
}

/** Weight of a target of neighbouring chunks, but not only along the first dimension, where files change. */
const AT_HOME = 1;

const PROOF = { checksum: 4, stream: 2, size: 0 } as const;
/** Little of the reference is wrong as a rule. */
function likenessOf({ target, offset, length }: RangeCandidate, own: OwnReference) {
  const isSameTarget = own.target === target;
  const isSameLength = own.length === length;
  const isSameOffset = isSameTarget && own.offset === offset;
  const isNear = isSameTarget && own.offset !== undefined && Math.abs(own.offset - offset) <= NEAR_BYTES;
  const score = (isSameTarget ? 0.5 : 0) + (isSameLength ? 0.75 : 0) + (isSameOffset ? 2 : 0) + (isNear ? 0.75 : 0);
  return { isSameTarget, isSameLength, isSameOffset, isNear, score };
}

/** Not far from where the reference begins. */
const NEAR_BYTES = 64;

const nameScore = (target: string | null, { own, isOwnUnread, nearNames }: Surroundings): number =>
  isOwnUnread && target !== null && target !== own.target && nearNames.includes(target) ? 1 : 0;

function targetEvidence(
  target: string | null,
  { own, isOwnUnread, nearNames, keyOf }: Surroundings,
  vote: TargetVote | undefined,
): readonly RepairEvidence[] {
  if (target === own.target) return [];
  const near = isOwnUnread && target !== null && nearNames.includes(target);
  return [
    ...(isOwnUnread ? [{ kind: "target-unread" } as const] : []),
    ...(near ? [{ kind: "near-name", name: target } as const] : []),
    ...(vote === undefined ? [] : [{ kind: "target-of-neighbours", key: keyOf(vote.row) } as const]),
  ];
}

/**
 * `isExpected`: it lies where other chunks let expect it. `inOrder`: between the chunks before and behind it in the grid.
 */
function placement({ target, offset, length }: RangeCandidate, claims: Claims, around: Surroundings) {
  const end = offset + length;
  const near = around.near(target);
  const before = claims.find((one) => one.end === offset);
  const after = claims.find((one) => one.start === end);
  const isOwnBefore = near.before?.end === offset;
  const isOwnAfter = near.after?.start === end;
  const inOrder = (near.before?.end ?? 0) <= offset && end <= (near.after?.start ?? Infinity);
  const alike = around.alike(target).find((one) => one.offset === offset);
  const even = around.evenOffsets(target).find((one) => one.offset === offset);
  const side = (adjoins: unknown, isOwn: boolean) => (isOwn ? 2 : adjoins === undefined ? 0 : 1);
  const score =
    side(before, isOwnBefore) +
    side(after, isOwnAfter) +
    (inOrder ? 1 : -0.5) +
    (alike === undefined ? 0 : 2) +
    (even === undefined ? 0 : 1.5);
  const evidence: readonly RepairEvidence[] = [
    ...(before === undefined ? [] : [{ kind: "begins-behind", key: around.keyOf(before.row) } as const]),
    ...(after === undefined ? [] : [{ kind: "ends-before", key: around.keyOf(after.row) } as const]),
    ...(even === undefined ? [] : [{ kind: "even-distance", bytes: even.step } as const]),
    ...(alike === undefined
      ? []
      : [{ kind: "same-layout", key: around.keyOf(alike.row), target: alike.target } as const]),
  ];
  const sides = Number(before !== undefined) + Number(after !== undefined);
  return { score, evidence, sides, isExpected: alike !== undefined || even !== undefined, inOrder };
}

/**
 * Those whose place tells that they are the chunk's. Of plain chunks beside one other reference (`seams`), rows that end
 * where rows should tell it too, where at all other places they do not.
 */
export function told(candidates: readonly Weighed[], seams: boolean): readonly Weighed[] {
  const beside = candidates.filter(({ proof, sides }) => proof === "size" && sides > 0);
  const whole = beside.filter(({ hasSeam }) => hasSeam === false);
  const [only] = seams && whole.length === 1 && beside.length > 1 ? whole : [];
  return candidates.flatMap((one): readonly Weighed[] => {
    if (one === only)
      return [{ ...one, isPlaced: true, score: one.score + 1, evidence: [...one.evidence, { kind: "rows-end" }] }];
    return one.isPlaced || one.proof === "checksum" ? [one] : [];
  });
}

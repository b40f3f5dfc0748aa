/**
 * Two readings of the same bytes compared by their values: whether one is so much better that the other must be wrong.
 */
import type { Evidence } from "#core/repair.ts";
import type { UnitReport } from "./order.ts";
import type { PlaneEntropy } from "./planes.ts";

/** Evidence for one reading, and its weight from 0 to 1. */
export interface Verdict {
  readonly evidence: Evidence;
  readonly weight: number;
}

/**
 * Bits a byte that a wrong reading must cost more, or as a share; and the bits that it must cost more in all. Measured on
 * undamaged chunks of 45 kinds of data: no other reading gains more than 0.03 bits, or a share of 0.01.
 */
const LEAST_GAIN = 0.2;
const LEAST_SHARE = 0.15;
const LEAST_TOTAL_BITS = 120;

/** A smaller difference says nothing, whatever the share: nearly constant chunks differ as little. */
const CLEAR_GAIN = 0.04;

/** Tells if bytes read as other elements are much less mixed. */
export function lessMixed(declared: PlaneEntropy | undefined, other: PlaneEntropy | undefined): Verdict | undefined {
  if (declared === undefined || other === undefined) return undefined;
  const gain = declared.bits - other.bits;
  const share = gain / Math.max(declared.bits, 1e-9);
  if (gain * declared.counted < LEAST_TOTAL_BITS) return undefined;
  if (gain < LEAST_GAIN && share < LEAST_SHARE) return undefined;
  if (gain < CLEAR_GAIN) return undefined;
  const evidence: Evidence = { kind: "more-order", bits: other.bits, declared: declared.bits };
  return { evidence, weight: Math.min(1, Math.max(gain / 2, share)) };
}

/** True if elements look as if they were put together from the wrong bytes, or in the wrong order. */
export function looksTurned(kind: "integer" | "float" | "character", report: UnitReport, size: number): boolean {
  if (kind === "character") return report.absurd > 0;
  if (kind === "float" && report.values > 0 && report.absurd / report.values >= LEAST_ABSURD) return true;
  if (report.topPlace < 0) return false;
  if (report.topPlace === report.lowPlace) return kind === "integer" && isLonelyTop(report, size);
  return report.top > report.low + Math.min(1, Math.max(0.2, report.low));
}

const LEAST_ABSURD = 0.05;
/**
 * Greatest low byte that may be a flag: in 2-byte integers multiples of 256 are not rare; they may be byte-swapped
 * flags.
 */
const GREATEST_FLAG = 16;

/** Only the highest byte changes, over zeros: small byte-swapped numbers. */
function isLonelyTop({ topPlace, zeroBelow, most }: UnitReport, size: number): boolean {
  return topPlace === size - 1 && zeroBelow && (size > 2 || most <= GREATEST_FLAG);
}

/** Tells if the other reading of the same elements is much more like numbers. The declared one must look turned. */
export function moreOrderly(
  kind: "integer" | "float" | "character",
  size: number,
  declared: UnitReport,
  other: UnitReport,
): Verdict | undefined {
  if (!looksTurned(kind, declared, size) || looksTurned(kind, other, size)) return undefined;
  if (kind === "character") return fewerAbsurd(declared, other, "characters");
  if (kind === "float") {
    const absurd = lessAbsurd(declared, other);
    if (absurd !== undefined) return absurd;
    if (other.absurd > declared.absurd) return undefined;
  }
  return smoother(declared, other);
}

function lessAbsurd(declared: UnitReport, other: UnitReport): Verdict | undefined {
  if (declared.values === 0 || other.values === 0) return undefined;
  const [before, after] = [declared.absurd / declared.values, other.absurd / other.values];
  const ordinary = other.ordinary / other.values;
  const isFew = declared.values < 8;
  const isClear = isFew ? before === 1 && ordinary === 1 : before >= LEAST_ABSURD && after <= 0.01;
  if (!isClear || ordinary < 0.5) return undefined;
  return fewerAbsurd(declared, other, "numbers");
}

function fewerAbsurd(declared: UnitReport, other: UnitReport, of: "characters" | "numbers"): Verdict | undefined {
  if (other.absurd > 0 && other.absurd * 20 > declared.absurd) return undefined;
  const evidence: Evidence = { kind: "fewer-absurd", of, share: absurdShare(other), declared: absurdShare(declared) };
  return { evidence, weight: Math.min(1, 0.5 + absurdShare(declared)) };
}

const absurdShare = ({ absurd, values }: UnitReport): number => absurd / Math.max(1, values);

function smoother(declared: UnitReport, other: UnitReport): Verdict | undefined {
  const changes = Math.min(declared.changes, other.changes);
  const gain = declared.cost - other.cost;
  const least = changes >= 32 ? 2.5 : changes >= 4 ? 6 : changes >= 1 ? 12 : Infinity;
  if (gain < least) return undefined;
  const evidence: Evidence = { kind: "smoother", bits: other.cost, declared: declared.cost };
  return { evidence, weight: Math.min(1, 0.4 + gain / 20) };
}

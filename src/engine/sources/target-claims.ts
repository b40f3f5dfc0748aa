/** The ranges of one target, in columns. */

/** By place in the order of offsets, then ends; of the same range in the order of the document. */
export interface TargetClaims {
  readonly count: number;
  readonly rows: Uint32Array;
  readonly from: Float64Array;
  /** Excluded. */
  readonly to: Float64Array;
  /** How far the ranges up to here reach. */
  readonly reach: Float64Array;
  /** Ranges of no bytes, which are not among them. */
  readonly empty: number;
}

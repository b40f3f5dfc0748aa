/** Counts of readings so far, in the whole set. */
export interface ReadingTally {
  /** Arrays of which chunks were read. */
  readonly arrays: readonly ArrayTally[];
  /** Targets that were asked for a chunk, and how many of them ever answered. */
  readonly targets: { readonly asked: number; readonly answering: number };
}

export interface ArrayTally {
  readonly path: string;
  readonly ok: number;
  readonly failed: number;
  /** Those that Refscope has no decoder for: neither of the two. Absent = 0. */
  readonly unbuilt?: number;
  /** Those of whose sources nothing came: none of these. Absent = 0. */
  readonly unreached?: number;
}

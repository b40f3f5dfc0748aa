/** The questions asked of a set. */

/** Questions in the order in which they are asked. */
export const QUESTIONS = ["opens", "complete", "values", "sources", "readers"] as const;

/**
 * `opens`: structure, metadata, keys. `complete`: every chunk that the grid expects. `values`: decoded, and compared
 * across chunks and files. `sources`: there, and unchanged. `readers`: what other software makes of the set.
 */
export type Question = (typeof QUESTIONS)[number];

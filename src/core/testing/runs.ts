/**
 * How much of a sweep is run. `npm test`, which everybody waits for, tries a part of it with the same seed each time;
 * `npm run test:deep` all of it with another (FC_SEED, REFSCOPE_SEED).
 */
export const isDeep = process.env["REFSCOPE_DEEP"] === "1";

/** Part of a sweep that is run by everybody. */
const SHARE = 8;
const LEAST = 20;

/** Runs of a law, copies that are damaged: `all` of them, or a part, but at least `least`. */
export const runs = (all: number, least = LEAST): number =>
  isDeep ? all : Math.min(all, Math.max(least, Math.ceil(all / SHARE)));

const asked = process.env["REFSCOPE_DAMAGED"];

/** Number of rounds: `runs`, or REFSCOPE_DAMAGED if set. */
export const damagedRounds = (usual: number): number => (asked === undefined ? runs(usual) : Number(asked));

/**
 * Milliseconds that decoding damaged input may take. None is to take above a second, which is measured where
 * REFSCOPE_DAMAGED asks for it; the suite itself shares its machine with others, and finds what hangs.
 */
export const MOST_MILLISECONDS = asked === undefined ? 20_000 : 1000;

/** Tests of damaged input: how many there are, and how long one may take. */

const asked = process.env["REFSCOPE_DAMAGED"];

/** As many as REFSCOPE_DAMAGED says. */
export const damagedRounds = (usual: number): number => Number(asked ?? usual);

/**
 * Milliseconds. None is to take above a second, which is measured where REFSCOPE_DAMAGED asks for it; the suite itself
 * shares its machine with others, and finds what hangs.
 */
export const MOST_MILLISECONDS = asked === undefined ? 20_000 : 1000;

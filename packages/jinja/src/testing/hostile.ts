/** How far hostile templates go in tests: `npm test` tries a tenth of what the deep run does. */
import { Budget } from "../template-error.ts";

const SHARE = process.env["REFSCOPE_DEEP"] === "1" ? 1 : 0.1;

export const HOSTILE_LENGTH = 1_000_000 * SHARE;

export const hostileBudget = () => new Budget({ steps: 2_000_000 * SHARE, characters: 4_000_000 * SHARE });

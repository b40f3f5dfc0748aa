/**
 * Property tests: the same cases in every run of `npm test`, others in those of `npm run test:deep`, so that a change is judged by what it changes. `FC_SEED=random` (or a
 * number) looks for others; what that finds becomes a test of its own.
 */
import fc from "fast-check";

const wanted = process.env.FC_SEED ?? (process.env.REFSCOPE_DEEP === "1" ? "20261124" : "20261121");
if (wanted !== "random") fc.configureGlobal({ seed: Number(wanted) });

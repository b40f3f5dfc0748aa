/**
 * Property tests: the same cases in every run, so that a change is judged by what it changes. `FC_SEED=random` (or a
 * number) looks for others; what that finds becomes a test of its own.
 */
import fc from "fast-check";

const wanted = process.env.FC_SEED ?? "20261121";
if (wanted !== "random") fc.configureGlobal({ seed: Number(wanted) });

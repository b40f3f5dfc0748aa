/** `pickle` (numcodecs): never decoded. */
import { failure, WHOLE_SET } from "../core/findings/finding.ts";
import type { Decoder } from "./codec.ts";

export const pickle: Decoder = {
  prepare: () => {
    throw failure("pickle-refused", WHOLE_SET, {});
  },
};

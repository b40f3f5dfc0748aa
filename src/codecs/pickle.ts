/** `pickle` (numcodecs): never decoded. */
import { failure } from "../core/findings/failure.ts";
import { WHOLE_SET } from "../core/findings/place.ts";
import type { Decoder } from "./codec.ts";

export const pickle: Decoder = {
  prepare: () => {
    throw failure("pickle-refused", WHOLE_SET, {});
  },
};

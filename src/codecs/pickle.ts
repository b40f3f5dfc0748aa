/** `pickle` (numcodecs): never decoded. */
import { failure } from "../core/findings/failure.ts";
import { WHOLE_SET } from "../core/findings/place.ts";
import type { Codec } from "./codec.ts";

export const pickle: Codec = {
  id: "pickle",
  kind: "array-bytes",
  words: "Never decoded: a pickle is a program.",
  prepare: () => {
    throw failure("pickle-refused", WHOLE_SET, {});
  },
};

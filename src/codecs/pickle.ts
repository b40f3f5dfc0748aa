/** `pickle` (numcodecs): never decoded. */
import { RefscopeError } from "../core/errors.ts";
import type { Codec } from "./codec.ts";

export const pickle: Codec = {
  id: "pickle",
  kind: "array-bytes",
  words: "Never decoded: a pickle is a program.",
  prepare: () => {
    throw new RefscopeError({
      code: "pickle-refused",
      doing: "Decoding with “pickle”",
      expected: "a codec that only holds data",
      found: "Python's pickle, which is a program: reading it runs whatever code the writer put there",
      advice:
        "Refscope shows the stored bytes and does not run them. Open the array with zarr-python only if you trust its writer, and write it again with vlen-utf8 or json2.",
    });
  },
};

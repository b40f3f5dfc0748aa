/** What `lzma.decompress` of Python does with each container; loaded when first needed. */
import { decodeFailed } from "../failure.ts";
import { finish, newOutput } from "../output.ts";
import { readAlone } from "./alone.ts";
import { decodeChain, type FilterChain } from "./filters.ts";
import { readStreams, type ReadStream } from "./streams.ts";
import { readXz } from "./xz.ts";

export type Container =
  | { readonly kind: "auto" | "xz" | "alone" }
  /** One .xz stream and nothing else. */
  | { readonly kind: "single-xz" }
  | { readonly kind: "raw"; readonly chain: FilterChain };

export function decodeLzma(
  codec: string,
  input: Uint8Array<ArrayBuffer>,
  container: Container,
  limit: number,
): Uint8Array<ArrayBuffer> {
  const output = newOutput(codec, limit, input.length * 4);
  if (container.kind === "single-xz") {
    const end = readXz(input, 0, output);
    if (end !== input.length) throw decodeFailed(codec, "one .xz stream", `${input.length - end} bytes after it`);
  } else {
    readStreams(input, output, 1, readerOf(container));
  }
  return finish(output);
}

function readerOf(container: Exclude<Container, { kind: "single-xz" }>): ReadStream {
  switch (container.kind) {
    case "xz":
      return readXz;
    case "alone":
      return (input, from, output) => readAlone(input, from, output);
    case "auto":
      return (input, from, output) =>
        input[from] === 0xfd ? readXz(input, from, output) : readAlone(input, from, output, true);
    case "raw":
      return (input, from, output) => decodeChain(input, from, container.chain, output);
  }
}

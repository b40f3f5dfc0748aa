/** Data files for the tests of their readers: bytes that are read by ranges, and what is left of them when damaged. */
import { RefscopeError } from "../findings/finding.ts";
import { fileBytes, LOCAL } from "../file-bytes.ts";
import type { SourceFile } from "../source-file.ts";
import { processorTime } from "./processor-time.ts";

const CONTEXT = { signal: new AbortController().signal, report: () => undefined };

/** `size`: where it is more than there are, the rest are zeros, from `tail` on of that byte. */
export function fileOfBytes(
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
  options = LOCAL,
  size = bytes.length,
  [tail, byte]: readonly number[] = [],
) {
  const source = {
    name,
    size,
    read: async (range: { offset: number; length: number } | undefined) => ({
      bytes: padded(bytes, range ?? { offset: 0, length: size }, tail ?? size, byte ?? 0),
      request: { url: name, attempts: 1, bytesReceived: 0, milliseconds: 0 },
      findings: [],
    }),
    stream: () => Promise.reject(new Error("It is read by ranges.")),
  };
  return fileBytes(source, CONTEXT, options);
}

function padded(bytes: Uint8Array, { offset, length }: { offset: number; length: number }, tail: number, byte: number) {
  const all = new Uint8Array(length).fill(byte, Math.max(0, Math.min(length, tail - offset)));
  all.set(bytes.subarray(offset, offset + length));
  return all;
}

/**
 * The codes that reading damaged copies ends in, "fine" where it finds nothing, and the most processor time that one
 * took.
 */
export async function codesOfDamaged(
  files: readonly (readonly [name: string, bytes: Uint8Array<ArrayBuffer>])[],
  rounds: number,
  read: (file: ReturnType<typeof fileOfBytes>) => Promise<Pick<SourceFile, "findings">>,
) {
  const codes = new Set<string>();
  let [seed, longest] = [7, 0];
  const next = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let round = 0; round < rounds; round += 1) {
    const [name, whole] = files[round % files.length] as (typeof files)[number];
    const bytes = round % 5 === 0 ? whole.slice(0, next(whole.length)) : whole.slice();
    for (let flips = 0; flips < 6 && bytes.length > 4; flips += 1)
      bytes[4 + next(Math.min(bytes.length, 2048) - 4)] = next(3) === 0 ? 255 : next(256);
    const began = processorTime();
    const code = await read(fileOfBytes(name, bytes)).then(
      ({ findings }) => findings.find((one) => one.code.startsWith("data-file"))?.code ?? "fine",
      (error: unknown) => (error instanceof RefscopeError ? error.code : `${name}, round ${round}: ${String(error)}`),
    );
    longest = Math.max(longest, processorTime() - began);
    codes.add(code);
  }
  return { codes: [...codes].toSorted(), longest };
}

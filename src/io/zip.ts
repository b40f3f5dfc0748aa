/**
 * A zip archive as a folder of files, local or behind a URL: only its directory and what is asked for is read, by closed
 * ranges. Our own reader, since existing ones inflate without bounds, check no CRC and cannot be cancelled.
 */
import type { ByteSource, CallContext } from "../core/byte-source.ts";
import { isAbort } from "../core/errors.ts";
import type { Finding } from "../core/findings/finding.ts";
import { bytesSource } from "./file.ts";
import { findByPath, indexByName, type LocalFiles } from "./local-files.ts";
import { readDirectory } from "./zip-directory.ts";
import { entrySource, newArchive, type ZipLimits } from "./zip-entry.ts";

export type { ZipLimits } from "./zip-entry.ts";

export interface ZipFiles extends LocalFiles {
  /** What is odd about the archive: names used twice or left out, counts that do not agree. */
  readonly findings: readonly Finding[];
  /** Whether the file is compressed, so that no part of it can be read without all that comes before. */
  isDeflated(path: string): boolean;
}

/** `50 4b` and the number of a record that an archive may begin with. Archives may also begin with anything else. */
export function isZipHead(head: Uint8Array): boolean {
  const [p, k, a = 0, b = 0] = head;
  return p === 0x50 && k === 0x4b && ((a === 3 && b === 4) || (a === 5 && b === 6) || (a === 7 && b === 8));
}

/**
 * Give an archive behind a URL a source that knows its size (`head`): otherwise a byte is asked for to learn the size
 * along with it, and where it is not given the archive is read whole. Neighbouring reads are best `coalesced` in `source`.
 *
 * @throws RefscopeError `zip-not-found`, `zip-damaged`, `zip-split`, `zip-too-large`, and what the source throws.
 */
export async function openZip(source: ByteSource, context: CallContext, limits: ZipLimits = {}): Promise<ZipFiles> {
  const { sized, size } = await withSize(source, context);
  const { entries, findings } = await readDirectory(sized, size, context);
  const archive = newArchive(sized, size, limits);
  const list = [...entries.keys()];
  const index = indexByName(list);
  return {
    list,
    findings,
    isDeflated: (path) => entries.get(path)?.method === 8,
    find: (target) => findByPath(index, target),
    source: (path) => {
      const entry = entries.get(path);
      return entry === undefined ? undefined : entrySource(archive, entry);
    },
  };
}

async function withSize(source: ByteSource, context: CallContext): Promise<{ sized: ByteSource; size: number }> {
  const size = source.size ?? (await sizeByRange(source, context));
  if (size !== undefined) return { sized: source, size };
  const { bytes } = await source.read(undefined, context);
  return { sized: bytesSource(bytes, source.name), size: bytes.byteLength };
}

async function sizeByRange(source: ByteSource, context: CallContext): Promise<number | undefined> {
  try {
    const { request } = await source.read({ offset: 0, length: 1 }, context);
    return request.targetSize ?? source.size;
  } catch (error) {
    if (isAbort(error)) throw error;
    // The whole file is asked for next, and that failure is reported.
    return undefined;
  }
}

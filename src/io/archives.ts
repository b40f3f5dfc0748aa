/** Zip archives that targets lie in: each is opened once, when one of its files is first read. */
import type { ByteSource, CallContext } from "../core/byte-source.ts";
import { failure } from "../core/findings/failure.ts";
import { targetAt } from "../core/findings/place.ts";
import { sharedTasks } from "./shared-task.ts";
import type { ZipFiles } from "./zip.ts";

export interface Archives {
  /** @throws RefscopeError `zip-member-missing`, `zip-…`, and what reading the archive throws. */
  member(address: string, path: string, context: CallContext): Promise<ArchivedFile>;
}

export interface ArchivedFile {
  readonly source: ByteSource;
  readonly isDeflated: boolean;
}

/** Directories in memory; those used longest ago are read again. */
const MAX_OPEN = 32;

/** `source`: of an archive, by its address. */
export function openArchives(source: (address: string) => ByteSource): Archives {
  const opened = new Map<string, ZipFiles>();
  const opening = sharedTasks<string, ZipFiles>();
  const open = async (address: string, context: CallContext): Promise<ZipFiles> => {
    // Only sets with such targets need it.
    const { openZip } = await import("./zip.ts");
    return openZip(source(address), context);
  };
  return {
    async member(address, path, context) {
      const files = opened.get(address) ?? (await opening(address, context, () => open(address, context)));
      opened.delete(address);
      opened.set(address, files);
      const oldest = opened.keys().next().value;
      if (opened.size > MAX_OPEN && oldest !== undefined) opened.delete(oldest);
      const source = files.source(path);
      if (source !== undefined) return { source, isDeflated: files.isDeflated(path) };
      throw failure("zip-member-missing", targetAt(address), { name: path.slice(0, 200), files: files.list.length });
    },
  };
}

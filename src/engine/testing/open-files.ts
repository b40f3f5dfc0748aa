/** For tests: files opened through the engine, as if they had been dropped. */
import { NO_LOCATIONS } from "#core/byte-source.ts";
import type { LocalFile } from "#core/open-set.ts";
import type { Engine } from "../engine.ts";
import { CONTEXT } from "../fixtures/plain-table.ts";

/** Id of the set; of all files only one may be a set. */
export async function openLocal(engine: Engine, files: Readonly<Record<string, BlobPart>>): Promise<number> {
  const dropped: LocalFile[] = Object.entries(files).map(([path, content]) => ({ path, blob: new Blob([content]) }));
  const source = { kind: "files", files: dropped } as const;
  const answer = await engine.call("set.open", { source, locations: NO_LOCATIONS }, CONTEXT);
  if (answer.kind !== "set") throw new Error(answer.title);
  return answer.set.id;
}

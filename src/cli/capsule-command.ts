/** `capsule`: a chunk taken out of its set, with what shows its fault, as an archive. */
import { capsuleFiles, capsuleName, type CapsuleContext } from "../core/check/capsule.ts";
import { explained } from "./print/explained.ts";
import { VERSION } from "../core/version.ts";
import { capsuleParts } from "../engine/check/capsule.ts";
import { writeZipArchive } from "../io/write-zip.ts";
import type { CommandOptions } from "./options.ts";
import { printableLines } from "./print/lines.ts";
import { openSet, terminalContext } from "./open-refs.ts";
import { writeOut } from "./write-out.ts";

/** Prints the issue; writes the archive where `--out` says, or beside. */
export async function capsuleCommand(refs: readonly string[], options: CommandOptions): Promise<number> {
  const [one = ""] = refs;
  const { array, chunk, out, inline = false } = options;
  if (array === undefined || chunk === undefined) throw new Error("capsule needs --array PATH and --chunk 0.0.1.");
  const context = terminalContext();
  const set = await openSet(one, options, context);
  const request = { array: array.replace(/^\//, ""), coordinates: chunk, inlines: inline };
  const parts = await capsuleParts(set, request, context);
  const around: CapsuleContext = {
    set: one,
    version: VERSION,
    platform: `Node ${process.version}`,
    date: new Date().toISOString(),
  };
  const files = capsuleFiles(parts, around, explained);
  const path = out ?? `${capsuleName(parts)}.zip`;
  await writeOut(path, await writeZipArchive(files), options);
  console.log(printableLines(files.get("README.md") ?? ""));
  console.error(`Written to ${path}`);
  return parts.reading.outcome === "failed" ? 1 : 0;
}

/** `write`: any set's references as Kerchunk JSON or Parquet, as an Icechunk repository, or copied into a Zarr store. */
import { dirname, relative, resolve, sep } from "node:path";
import type { Finding } from "#core/findings/finding.ts";
import { counted } from "#core/words.ts";
import { planForm } from "#engine/write/forms.ts";
import type { CopyCost } from "#engine/write/write-zarr.ts";
import { printable } from "../print/lines.ts";
import { folderOfFiles, openSet, terminalContext } from "../open-refs.ts";
import type { CommandOptions } from "../options.ts";
import { sayFindings } from "../print/say-findings.ts";
import { writeOut, writeOutFolder } from "../write-out.ts";

/** 1 where something is left out. */
export async function writeCommand(refs: readonly string[], options: CommandOptions): Promise<number> {
  const [one = ""] = refs;
  const { as, out } = options;
  if (options.onto !== undefined) return writeOnto(one, options.onto, options);
  if (as === undefined || out === undefined) throw new Error("write needs --as FORM and --out PATH, or --onto REPO.");
  const context = terminalContext();
  const [from, to] = [folderOfFiles(one, options.root), dirname(resolve(out))];
  const fromThere = (path: string) => relative(to, resolve(from, path)).split(sep).join("/");
  const set = await openSet(one, options, context);
  const { prefix, message } = options;
  const wish = { form: as, prefix: prefix || undefined, fromThere, message, recordSize: options.recordSize };
  const { findings, files, written, cost, found = [] } = await planForm(set, wish, context);
  // Before anything is written.
  const isWhole = await sayFindings(findings);
  if (cost !== undefined) console.error(costLine(cost));
  const isFolder = as === "kerchunk-parquet" || as === "icechunk" || as === "zarr";
  const counts = isFolder
    ? await writeFolder(files(), out)
    : { files: 1, bytes: await writeOut(out, bytesOf(files()), options), references: written() };
  const isRead = await sayFindings(found);
  await sayWritten({ as, out, ...counts, findings: [...findings, ...found] }, options);
  return isWhole && isRead ? 0 : 1;
}

function costLine({ chunks, bytes, unsized }: CopyCost): string {
  const rest = unsized === 0 ? "" : `, and ${counted(unsized, "chunk")} whose size is not known`;
  return `To copy: ${counted(chunks, "chunk")}. To read: ${counted(bytes, "byte")}${rest}.`;
}

async function* bytesOf(files: Files) {
  for await (const { bytes } of files) yield bytes;
}

async function writeOnto(refs: string, onto: string, options: CommandOptions): Promise<number> {
  if (options.as !== undefined || options.out !== undefined) throw new Error("--onto takes no --as and no --out.");
  const { appendLocally } = await import("./append-command.ts");
  const appended = await appendLocally(onto, refs, options);
  if (appended === undefined) return 2;
  const { isWhole, ...rest } = appended;
  await sayWritten({ as: "icechunk", out: onto, ...rest }, options);
  return isWhole ? 0 : 1;
}

type Written = Awaited<ReturnType<typeof writeFolder>> & {
  readonly as: string;
  readonly out: string;
  readonly findings: readonly Finding[];
};

async function sayWritten(written: Written, { json }: CommandOptions): Promise<void> {
  const { as, out, references, files, bytes } = written;
  const counts = [
    counted(references, as === "zarr" ? "chunk" : "reference"),
    counted(files, "file"),
    counted(bytes, "byte"),
  ];
  if (json === true) console.log((await import("../print/finding-json.ts")).printableJson({ ...written }));
  else console.log(printable(`${out}: ${counts.join(", ")}`));
}

type Files = AsyncIterable<{ readonly path: string; readonly bytes: Uint8Array; readonly references: number }>;

async function writeFolder(files: Files, out: string) {
  let [references, count, bytes] = [0, 0, 0];
  async function* written() {
    for await (const file of files) {
      [references, count, bytes] = [references + file.references, count + 1, bytes + file.bytes.length];
      yield file;
    }
  }
  await writeOutFolder(out, written());
  return { references, files: count, bytes };
}

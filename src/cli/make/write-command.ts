/** `write`: any set's references as Kerchunk JSON or Parquet. */
import { dirname, relative, resolve, sep } from "node:path";
import { counted } from "#core/words.ts";
import { planJson } from "#engine/write/write-json.ts";
import { parquetFiles, planParquet, RECORD_SIZE } from "#engine/write/write-parquet.ts";
import { writableSet } from "#engine/write/writable.ts";
import { printable } from "../print/lines.ts";
import { folderOfFiles, openSet, terminalContext } from "../open-refs.ts";
import type { CommandOptions } from "../options.ts";
import { sayFindings } from "../print/say-findings.ts";
import { writeOut, writeOutFolder } from "../write-out.ts";

/** 1 where something is left out. */
export async function writeCommand(refs: readonly string[], options: CommandOptions): Promise<number> {
  const [one = ""] = refs;
  const { as, out, recordSize = RECORD_SIZE } = options;
  if (as === undefined || out === undefined) throw new Error("write needs --as FORM and --out PATH.");
  const context = terminalContext();
  const [from, to] = [folderOfFiles(one, options.root), dirname(resolve(out))];
  const fromThere = (path: string) => relative(to, resolve(from, path)).split(sep).join("/");
  const writable = await writableSet(
    await openSet(one, options, context),
    { fromThere, sources: options.prefix || undefined },
    context,
  );
  const plan = as === "kerchunk-parquet" ? planParquet(writable) : undefined;
  const json = planJson(writable, as === "kerchunk-json-v0" ? "version0" : "version1");
  const { findings } = plan ?? json;
  // Before anything is written.
  const isWhole = await sayFindings(findings);
  if (plan?.documents.size === 0) throw new Error(`Nothing of it can be written as ${as}.`);
  const written =
    plan === undefined
      ? await writeDocument(json.writing, out, options)
      : await writeFolder(parquetFiles(plan, recordSize, context), out);
  const { references, files, bytes } = written;
  const counts = [counted(references, "reference"), counted(files, "file"), counted(bytes, "byte")];
  if (options.json === true)
    console.log((await import("../print/finding-json.ts")).printableJson({ as, out, ...written, findings }));
  else console.log(printable(`${out}: ${counts.join(", ")}`));
  return isWhole ? 0 : 1;
}

async function writeDocument(writing: ReturnType<typeof planJson>["writing"], out: string, options: CommandOptions) {
  const bytes = await writeOut(out, writing.pieces, options);
  return { references: writing.written(), files: 1, bytes };
}

async function writeFolder(files: ReturnType<typeof parquetFiles>, out: string) {
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

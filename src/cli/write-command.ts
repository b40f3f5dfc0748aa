/** `write`: any set's references as Kerchunk JSON or Parquet. */
import { mkdir, open, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { CallContext } from "../core/byte-source.ts";
import type { Finding } from "../core/findings/finding.ts";
import { counted } from "../core/words.ts";
import { startPace } from "../engine/pace.ts";
import { jsonWriting } from "../engine/write/write-json.ts";
import { parquetFiles, planParquet, RECORD_SIZE } from "../engine/write/write-parquet.ts";
import { writableSet, type Writable } from "../engine/write/writable.ts";
import { areNotes, findingLine } from "./finding-lines.ts";
import { printable, printableJson } from "./lines.ts";
import { openSet, terminalContext } from "./open-refs.ts";
import type { CommandOptions } from "./options.ts";

interface Written {
  readonly references: number;
  readonly files: number;
  readonly bytes: number;
}

/** 1 where something is left out. */
export async function writeCommand(refs: readonly string[], options: CommandOptions): Promise<number> {
  const [one = ""] = refs;
  const { as, out } = options;
  if (as === undefined || out === undefined) throw new Error("write needs --as FORM and --out PATH.");
  const context = terminalContext();
  const writable = await writableSet(await openSet(one, options, context), { form: as }, context);
  const plan = as === "kerchunk-parquet" ? planParquet(writable) : undefined;
  const findings = plan?.findings ?? writable.findings;
  // Before anything is written.
  for (const found of findings) console.error(printable(findingLine(found)));
  const written =
    plan === undefined
      ? await writeJsonFile(writable, out, context)
      : await writeFolder(parquetFiles(plan, options.recordSize ?? RECORD_SIZE, context), out);
  if (options.json === true) console.log(printableJson({ as, out, ...written, findings }));
  else console.log(printable(`${out}: ${writtenWords(written)}`));
  return isWhole(findings) ? 0 : 1;
}

const isWhole = (findings: readonly Finding[]): boolean => areNotes(findings);

const writtenWords = ({ references, files, bytes }: Written): string =>
  `${counted(references, "reference")} in ${counted(files, "file")}, ${counted(bytes, "byte")}`;

/** Beside, then in its place: what is broken off leaves nothing, or what was there. */
async function writeJsonFile(writable: Writable, out: string, context: CallContext): Promise<Written> {
  const writing = jsonWriting(writable);
  const beside = `${out}.part`;
  const file = await open(beside, "w");
  let bytes = 0;
  try {
    const pace = startPace(context, "Writing references", writing.total);
    for (const piece of writing.pieces) {
      await file.writeFile(piece);
      bytes += piece.length;
      await pace.yieldIfDue(writing.done());
    }
    await file.close();
    await rename(beside, out);
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(beside, { force: true });
    throw error;
  }
  return { references: writing.written(), files: 1, bytes };
}

async function writeFolder(files: ReturnType<typeof parquetFiles>, out: string): Promise<Written> {
  await mkdir(out, { recursive: true });
  // Files of another set would be read as this one's.
  if ((await readdir(out)).length > 0) throw new Error(`${out} is not empty: name a new folder.`);
  let [references, count, bytes] = [0, 0, 0];
  for await (const file of files) {
    const path = join(out, file.path);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, file.bytes);
    references += file.references;
    count += 1;
    bytes += file.bytes.length;
  }
  return { references, files: count, bytes };
}

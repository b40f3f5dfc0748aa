/** `refs`: references to the chunks of data files, as Kerchunk JSON on stdout. */
import { explained } from "./explained.ts";
import { explainedText } from "../core/findings/explained.ts";
import { findingOfError } from "../core/findings/failure.ts";
import { jsonWriting } from "../engine/write/write-json.ts";
import { writableSet, type Writable } from "../engine/write/writable.ts";
import { areNotes, findingLine, printUnopened } from "./finding-lines.ts";
import { printable } from "./lines.ts";
import { ChoiceNeeded, openSet, terminalContext } from "./open-refs.ts";
import type { CommandOptions } from "./options.ts";
import { Output } from "./output.ts";

/** Of several files one after the other: none is held longer than it is written. */
export async function refsCommand(files: readonly string[], options: CommandOptions): Promise<number> {
  const output = new Output(process.stdout);
  const isOne = files.length === 1;
  let [status, before] = [0, "{"];
  for (const file of files) {
    const writable = await writableFile(file, options);
    if (writable === undefined) {
      status = 2;
      continue;
    }
    for (const found of writable.findings) console.error(printable(`${file}: ${findingLine(found)}`));
    if (!areNotes(writable.findings)) status = Math.max(status, 1);
    if (!isOne) await output.write(`${before}${JSON.stringify(file)}:`);
    await writeOut(writable, output);
    before = ",\n";
  }
  if (!isOne) await output.write(before === "{" ? "{}" : "}");
  if (!isOne || status < 2) await output.write("\n");
  await output.end();
  return status;
}

async function writeOut(writable: Writable, output: Output): Promise<void> {
  const decoder = new TextDecoder();
  for (const piece of jsonWriting(writable, true).pieces) await output.write(decoder.decode(piece, { stream: true }));
}

/** `undefined`, and said why, where it does not open. */
async function writableFile(file: string, options: CommandOptions): Promise<Writable | undefined> {
  const context = terminalContext();
  const { inlineBelow, zarr } = options;
  try {
    const set = await openSet(file, options, context);
    return await writableSet(set, { form: "kerchunk-json", inlineBelow, zarr3: zarr === 3 }, context);
  } catch (error) {
    const isChoice = error instanceof ChoiceNeeded;
    printUnopened(file, isChoice ? error.message : explainedText(findingOfError(error, `Opening ${file}`), explained));
    return undefined;
  }
}

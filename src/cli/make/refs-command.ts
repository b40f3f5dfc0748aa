/** `refs`: references to the chunks of data files, as Kerchunk JSON on stdout. */
import { pythonJsonText } from "#core/json/python-json.ts";
import { findingOfError } from "#core/findings/finding.ts";
import { planJson } from "#engine/write/write-json.ts";
import { writableSet } from "#engine/write/writable.ts";
import { ChoiceNeeded, openSet, terminalContext } from "../open-refs.ts";
import type { CommandOptions } from "../options.ts";
import { Output } from "../print/output.ts";
import { sayFindings, sentenceOf } from "../print/say-findings.ts";

/** Writes references of files one after the other: none is held longer than that takes. */
export async function refsCommand(files: readonly string[], options: CommandOptions): Promise<number> {
  const output = new Output(process.stdout);
  // On stdout they are as in the file's folder.
  const wish = { inlineBelow: options.inlineBelow, zarr3: options.zarr === "3", fromThere: (path: string) => path };
  let [status, before] = [0, "{"];
  for (const file of files) {
    try {
      const context = terminalContext();
      const writable = await writableSet(await openSet(file, options, context), wish, context);
      const { writing, findings } = planJson(writable, "version1-flat");
      if (!(await sayFindings(findings, `${file}: `))) status = Math.max(status, 1);
      if (files.length > 1) await output.write(`${before}${pythonJsonText(file)}:`);
      const decoder = new TextDecoder();
      for (const piece of writing.pieces) await output.write(decoder.decode(piece, { stream: true }));
      before = ",\n";
    } catch (error) {
      const { printUnopened } = await import("../print/finding-lines.ts");
      printUnopened(file, error instanceof ChoiceNeeded ? error.message : await sentenceOf(findingOfError(error)));
      status = 2;
    }
  }
  if (files.length > 1) await output.write(before === "{" ? "{}\n" : "}\n");
  else if (status < 2) await output.write("\n");
  await output.end();
  return status;
}

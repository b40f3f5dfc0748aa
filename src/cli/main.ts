/** `npm run -s refscope -- COMMAND`: see README. stdout is the answer, stderr progress; exit code 0 ok, 1 problems, 2 cannot. */
import { explained } from "../core/findings/explain.ts";
import { explainedText } from "../core/findings/explained.ts";
import { parseArgs } from "node:util";
import { RefscopeError } from "../core/errors.ts";
import { findingOfError } from "../core/findings/failure.ts";
import { checkCommand } from "./check-command.ts";
import { compareCommand } from "./compare-command.ts";
import { digestCommand } from "./digest-command.ts";
import { doctorCommand } from "./doctor-command.ts";
import { explainCommand } from "./explain-command.ts";
import { historyCommand } from "./history-command.ts";
import { infoCommand } from "./info-command.ts";
import { printableLines } from "./lines.ts";
import { readCommand } from "./read-command.ts";
import { renderCommand } from "./render-command.ts";
import type { CommandOptions } from "./command-options.ts";
import { usage } from "./usage.ts";

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      json: { type: "boolean", default: false },
      chunks: { type: "boolean", default: false },
      offline: { type: "boolean", default: false },
      root: { type: "string" },
      target: { type: "string" },
      "allow-private": { type: "boolean", default: false },
      choice: { type: "string" },
      ref: { type: "string" },
      template: { type: "string", multiple: true, default: [] },
      most: { type: "string" },
      threads: { type: "string" },
      limit: { type: "string" },
      by: { type: "string" },
      simple: { type: "boolean", default: false },
      lines: { type: "boolean", default: false },
      array: { type: "string" },
      select: { type: "string" },
      cf: { type: "boolean", default: false },
      network: { type: "boolean", default: false },
      "limit-targets": { type: "string" },
      origin: { type: "string" },
      region: { type: "string" },
      deep: { type: "string" },
      npy: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  const [command, ...refs] = positionals;
  const { root, target, choice, ref, most, threads, limit, by, array, select, npy, deep, origin, region } = values;
  const given = { root, target, choice, ref, most, threads, limit, by, array, select, npy, deep, origin, region };
  const renamed = { allowPrivate: values["allow-private"], limitTargets: values["limit-targets"] };
  const options: CommandOptions = { ...values, ...renamed, ...given };
  if (values.help || command === undefined) {
    console.log(usage(command));
    return values.help ? 0 : 2;
  }
  if (command === "render") return renderCommand(refs, options);
  if (command === "explain") return explainCommand(refs, options);
  if (refs.length === 0) throw new Error(`${command} needs at least one REFS.\n\n${usage(command)}`);
  if (command === "doctor") return doctorCommand(refs, options);
  if (command === "check") return checkCommand(refs, options);
  if (command === "info") return infoCommand(refs, options);
  if (command === "digest") return digestCommand(refs, options);
  if (command === "read") return readCommand(refs, options);
  if (command === "history") return historyCommand(refs, options);
  if (command === "compare") return compareCommand(refs, options);
  throw new Error(`There is no command “${command}”.\n\n${usage()}`);
}

/** Never throws; gives the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  try {
    return await run(args);
  } catch (error) {
    console.error(printableLines(sentenceOf(error)));
    return 2;
  }
}

function sentenceOf(error: unknown): string {
  const plain = error instanceof Error && !(error instanceof RefscopeError);
  return plain ? error.message : explainedText(findingOfError(error, "Running the command"), explained);
}

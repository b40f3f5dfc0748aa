/** `npm run -s refscope -- COMMAND`: see README. stdout is the answer, stderr progress; exit code 0 ok, 1 problems, 2 cannot. */
import { explained } from "../core/findings/explain.ts";
import { explainedText } from "../core/findings/explained.ts";
import { parseArgs } from "node:util";
import { RefscopeError } from "../core/errors.ts";
import { findingOfError } from "../core/findings/failure.ts";
import { capsuleCommand } from "./capsule-command.ts";
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

const OPTIONS = {
  json: { type: "boolean", default: false },
  chunks: { type: "boolean", default: false },
  offline: { type: "boolean", default: false },
  root: { type: "string" },
  target: { type: "string" },
  "allow-private": { type: "boolean", default: false },
  choice: { type: "string" },
  ref: { type: "string" },
  template: { type: "string", multiple: true, default: [] as string[] },
  most: { type: "string" },
  threads: { type: "string" },
  limit: { type: "string" },
  by: { type: "string" },
  simple: { type: "boolean", default: false },
  lines: { type: "boolean", default: false },
  array: { type: "string" },
  select: { type: "string" },
  cf: { type: "boolean", default: false },
  npy: { type: "string" },
  chunk: { type: "string" },
  out: { type: "string" },
  inline: { type: "boolean", default: false },
  network: { type: "boolean", default: false },
  deep: { type: "string" },
  reader: { type: "string" },
  "limit-targets": { type: "string" },
  origin: { type: "string" },
  region: { type: "string" },
  format: { type: "string" },
  "fail-on": { type: "string" },
  expect: { type: "string" },
  accept: { type: "string" },
  "write-expect": { type: "string" },
  "write-accept": { type: "string" },
  help: { type: "boolean", short: "h", default: false },
} as const;

type Command = (refs: readonly string[], options: CommandOptions) => number | Promise<number>;

/** By name; those that say themselves what they take. */
const WITHOUT_REFS: ReadonlyMap<string, Command> = new Map<string, Command>([
  ["render", renderCommand],
  ["explain", explainCommand],
]);

const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ["check", checkCommand],
  ["info", infoCommand],
  ["digest", digestCommand],
  ["read", readCommand],
  ["history", historyCommand],
  ["compare", compareCommand],
  ["capsule", capsuleCommand],
  ["doctor", doctorCommand],
]);

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });
  const [command, ...refs] = positionals;
  if (values.help || command === undefined) {
    console.log(usage(command));
    return values.help ? 0 : 2;
  }
  const options = commandOptions(values);
  const one = WITHOUT_REFS.get(command);
  if (one !== undefined) return one(refs, options);
  if (refs.length === 0) throw new Error(`${command} needs at least one REFS.\n\n${usage(command)}`);
  const other = COMMANDS.get(command);
  if (other !== undefined) return other(refs, options);
  throw new Error(`There is no command “${command}”.\n\n${usage()}`);
}

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS; allowPositionals: true }>>["values"];

function commandOptions(values: Values): CommandOptions {
  // Named here, since those that are not given have no members.
  const { root, target, choice, ref, most, threads, limit, by, array, select, npy, deep, origin, region } = values;
  return {
    ...values,
    root,
    target,
    choice,
    ref,
    most,
    threads,
    limit,
    by,
    array,
    select,
    npy,
    deep,
    origin,
    region,
    limitTargets: values["limit-targets"],
    allowPrivate: values["allow-private"],
    failOn: values["fail-on"],
    writeExpect: values["write-expect"],
    writeAccept: values["write-accept"],
  };
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

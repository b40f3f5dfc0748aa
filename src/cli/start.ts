/** The process of the command line. */
import { orThrow } from "../core/basics.ts";
import { parseArgs } from "node:util";
import { editDistance } from "../core/words/near-name.ts";
import { VERSION } from "../core/version.ts";
import { type Command, commandNamed, COMMANDS } from "./commands.ts";
import { type CommandOptions, type OptionName, OPTIONS, outputsOf, written } from "./options.ts";
import { endOutput } from "./print/output.ts";

// `refscope COMMAND`: see README. stdout is the answer, stderr progress; exit code 0 ok, 1 problems, 2
// cannot.

const NAMES = Object.keys(OPTIONS) as OptionName[];
const BY_WRITTEN: ReadonlyMap<string, OptionName> = new Map(NAMES.map((name) => [written(name), name]));

/** Mistake of the user, in a sentence. */
class UsageError extends Error {}

async function run(args: readonly string[]): Promise<number> {
  const { tokens } = parseArgs({
    // It may stand alone.
    args: args.flatMap((arg, at) => (arg === "--values" && /^(?:-|$)/.test(args[at + 1] ?? "") ? [arg, "100"] : arg)),
    strict: false,
    tokens: true,
    allowPositionals: true,
    options: SYNTAX,
  });
  const words = tokens.flatMap((token) => (token.kind === "positional" ? [token.value] : []));
  const given = tokens.filter((token) => token.kind === "option");
  const asksHelp = words[0] === "help" || given.some(({ rawName }) => rawName === "--help" || rawName === "-h");
  const [name, ...rest] = words[0] === "help" ? words.slice(1) : words;
  if (name === undefined && given.some(({ rawName }) => rawName === "--version" || rawName === "-V")) {
    console.log(VERSION);
    return 0;
  }
  const command = name === undefined ? undefined : commandNamed(name);
  if (name !== undefined && command === undefined)
    throw new UsageError(`Unknown command “${name}”.${meant(name, Object.keys(COMMANDS))} Run --help for a list.`);
  if (asksHelp || name === undefined || command === undefined) {
    const { helpOf, helpOfAll } = await import("./help.ts");
    console.log(name === undefined || command === undefined ? helpOfAll() : helpOf(name, command));
    return asksHelp ? 0 : 2;
  }
  const options = readOptions(name, command, given);
  refuseCount(name, command, rest, options);
  if (outputsOf(options).length > 0) await (await import("./write-out.ts")).refuseOutputs(rest, options);
  return (await command.load())(rest, options);
}

/** Which options have an argument: all that Node's parser needs to tell words apart. */
const SYNTAX = Object.fromEntries([
  ...NAMES.map((name) => {
    const type = "argument" in OPTIONS[name] ? ("string" as const) : ("boolean" as const);
    return [written(name).slice(2), { type, multiple: true }] as const;
  }),
  ["help", { type: "boolean" as const, short: "h", multiple: true }] as const,
  ["version", { type: "boolean" as const, short: "V", multiple: true }] as const,
]);

interface GivenOption {
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

/**
 * Throws UsageError for what the command does not take, what lacks its argument or cannot be read, and what is
 * repeated.
 */
function readOptions(command: string, { options }: Command, given: readonly GivenOption[]): CommandOptions {
  const values = new Map<string, unknown>();
  for (const { rawName, value } of given) {
    const name = BY_WRITTEN.get(rawName);
    if (name === undefined || !options.includes(name)) {
      const takes = options.map(written);
      throw new UsageError(
        `${command} takes no option ${rawName}.${meant(rawName, takes)} Run ${command} --help for its options.`,
      );
    }
    const option = OPTIONS[name];
    const isMany = "isMany" in option;
    if (values.has(name) && !isMany && "argument" in option) throw new UsageError(`${rawName} is given twice.`);
    if (!("argument" in option)) {
      if (value !== undefined) throw new UsageError(`${rawName} takes no value, found “${value}”.`);
      values.set(name, true);
      continue;
    }
    if (value === undefined) throw new UsageError(`${rawName} needs a value: ${rawName} ${option.argument}.`);
    const read = orThrow(
      () => option.parse(value),
      (error) => new UsageError(`${rawName} ${(error as Error).message}.`),
    );
    values.set(name, isMany ? [...((values.get(name) as readonly unknown[] | undefined) ?? []), read] : read);
  }
  return Object.fromEntries(values);
}

/** Refuses a number of words other than the command takes. */
function refuseCount(name: string, { takes }: Command, words: readonly string[], { lines }: CommandOptions): void {
  const terms = takes.split(" ");
  const least = terms.filter((term) => !term.startsWith("[")).length;
  const most = lines === true ? 0 : takes.includes("…") ? Infinity : terms.length;
  const expected = lines === true ? "nothing: --lines reads documents from stdin, one a line" : takes;
  if (words.length === 0 && least > 0 && takes.startsWith("REFS"))
    throw new UsageError(`${name} needs a file or URL: refscope ${name} ${takes}`);
  if (words.length < least || words.length > most)
    throw new UsageError(`${name} takes ${expected}. Run ${name} --help for examples.`);
}

/** The nearest name, where one is near. */
function meant(wanted: string, names: readonly string[]): string {
  const near = names
    .map((name) => [name, editDistance(wanted, name, 3)] as const)
    .filter(([name, distance]) => distance <= Math.max(1, Math.min(3, Math.floor(name.length / 3))))
    .sort(([, one], [, other]) => one - other);
  const starts = names.find((name) => name.startsWith(wanted));
  const best = near[0]?.[0] ?? starts;
  return best === undefined ? "" : ` Did you mean ${best}?`;
}

/** Never throws; gives the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  try {
    return await run(args);
  } catch (error) {
    const { printableLines } = await import("./print/lines.ts");
    console.error(printableLines(await sentenceOf(error)));
    return 2;
  }
}

async function sentenceOf(error: unknown): Promise<string> {
  const { RefscopeError } = await import("../core/findings/finding.ts");
  if (error instanceof Error && !(error instanceof RefscopeError)) return systemSentence(error) ?? error.message;
  const { explained } = await import("./print/explained.ts");
  const { explainedText } = await import("../core/findings/explained.ts");
  const { findingOfError } = await import("../core/findings/finding.ts");
  return explainedText(findingOfError(error, "Running the command"), explained);
}

/** Sentence for a refusal by the system, such as a full disk: the operation and the file. */
function systemSentence(error: NodeJS.ErrnoException): string | undefined {
  const { code, path, syscall } = error;
  if (code === undefined || syscall === undefined) return undefined;
  const why = SYSTEM.get(code) ?? error.message;
  return `${WRITES.has(syscall) ? "Cannot write" : "Cannot open"} ${path ?? "the output"}: ${why}.`;
}

/** Calls that change something; all others read. */
const WRITES: ReadonlySet<string> = new Set([
  "write",
  "mkdir",
  "rename",
  "unlink",
  "rmdir",
  "copyfile",
  "symlink",
  "ftruncate",
]);

const SYSTEM: ReadonlyMap<string, string> = new Map([
  ["ENOSPC", "the disk is full"],
  ["EACCES", "permission denied"],
  ["ENOENT", "no such file or folder"],
  ["EISDIR", "it is a folder"],
  ["EROFS", "the disk is read-only"],
]);

process.stdout.on("error", endOutput);

// Node says so that something never ended.
process.exitCode = 13;
/** Tests that run commands in this process wait for it. */
export const ended = main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});

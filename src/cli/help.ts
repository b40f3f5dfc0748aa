/** Prints `--help`, for all commands and for each, in lines of at most 80 columns. */
import { READER_IDS } from "../core/readers/ids.ts";
import { COMMANDS, type Command } from "./commands.ts";
import { OPTIONS, written, type OptionName } from "./options.ts";

const WIDTH = 80;
/** Name under which it was called: in a clone `tools/refscope.mjs` sets it. */
const PROGRAM = process.env.REFSCOPE_PROGRAM ?? "refscope";

const TAKES: ReadonlyMap<string, string> = new Map([
  [
    "REFS",
    "an HDF5 or NetCDF-4 file, a Kerchunk JSON file (plain, .gz or .zst), a Kerchunk Parquet folder, a Zarr store, an Icechunk repository, a ZIP archive of one, or its URL",
  ],
  ["FILE", "an HDF5, NetCDF or GRIB file, its URL, a folder of such files, or a URL that lists them"],
  ["URL", "the URL of a file: https://…, or s3://, gs:// or az:// as references write it"],
  ["DOC", "a Kerchunk JSON file or its URL; none with --lines"],
  ["ADDRESS", "an Icechunk repository, or its URL"],
  ["A", "a dataset: any file, folder or URL that the other commands take; with TO a repository"],
  ["B", "another dataset; with TO a branch, tag or snapshot: NAME, branch:NAME, tag:NAME, snapshot:ID"],
  ["TO", "as B, with a repository"],
  ["SHELL", "bash, zsh or fish"],
  ["CODE", "the code of a finding, such as range-past-end"],
]);

type Term = readonly [term: string, text: string];

export function helpOf(name: string, command: Command): string {
  const { takes, does, options, examples, exitCodes, json } = command;
  const readers = options.includes("reader") ? ["", ...wrapped(`Readers: ${READER_IDS.join(", ")}.`, 0)] : [];
  return [
    `Usage: ${PROGRAM} ${name} ${takes} [options]`,
    "",
    ...wrapped(`${does[0]?.toUpperCase() ?? ""}${does.slice(1)}.`, 0),
    "",
    ...list(argumentsOf(command)),
    ...(options.length === 0 ? [] : [""]),
    ...list(optionsOf(command)),
    ...readers,
    ...(json === undefined ? [] : ["", ...wrapped(`With --json: ${json}.`, 0)]),
    "",
    "Examples:",
    ...examples.flatMap(([command, what]) => [`  ${PROGRAM} ${command}`, `      ${what}`]),
    "",
    ...wrapped(`Exit code: ${exitCodes ?? "0 fine, 1 problems found, 2 cannot do it"}.`, 0),
  ].join("\n");
}

export function helpOfAll(): string {
  const commands = Object.entries<Command>(COMMANDS).map(([name, { does }]): Term => [name, does]);
  return [
    `Usage: ${PROGRAM} COMMAND … [options]`,
    "",
    ...list(commands),
    "",
    "Run COMMAND --help for its options and examples; --version prints the version.",
  ].join("\n");
}

export const argumentsOf = ({ takes, help }: Command): readonly Term[] =>
  takes.split(" ").map((term) => {
    const name = term.replaceAll(/[[\]…]/g, "");
    return [term, (name === "FILE" ? help?.FILE : undefined) ?? TAKES.get(name) ?? ""];
  });

/** Effect of an option for a command. */
export const helpFor = ({ help }: Command, option: OptionName): string => help?.[option] ?? OPTIONS[option].help;

export const optionsOf = (command: Command): readonly Term[] =>
  command.options.map((option) => [syntax(option), helpFor(command, option)]);

function syntax(name: OptionName): string {
  const option = OPTIONS[name];
  return "argument" in option ? `${written(name)} ${option.argument}` : written(name);
}

function list(terms: readonly Term[]): readonly string[] {
  const width = Math.min(24, Math.max(...terms.map(([term]) => term.length)));
  return terms.flatMap(([term, text]) => {
    const [first = "", ...rest] = wrapped(text, width + 4);
    return [`  ${term.padEnd(width)}  ${first.trimStart()}`, ...rest];
  });
}

/** Lines that begin after `indent` columns. */
function wrapped(text: string, indent: number): readonly string[] {
  const lines: string[] = [];
  let line = " ".repeat(indent);
  for (const word of text.split(" ")) {
    if (line.trim() !== "" && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = " ".repeat(indent);
    }
    line += line.trim() === "" ? word : ` ${word}`;
  }
  return [...lines, line];
}

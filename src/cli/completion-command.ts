/** `completion`: what makes a shell complete commands, options and their values, from what declares them. */
import { groupedBy } from "../core/basics.ts";
import { READER_IDS } from "../core/readers/ids.ts";
import { COMMANDS, type Command } from "./commands.ts";
import { helpFor } from "./help.ts";
import { type OptionName, OPTIONS, written } from "./options.ts";

const SHELLS: ReadonlyMap<string, () => string> = new Map([
  ["bash", bash],
  ["zsh", zsh],
  ["fish", fish],
]);

export function completionCommand([shell = ""]: readonly string[]): number {
  const script = SHELLS.get(shell);
  if (script === undefined) throw new Error(`completion takes bash, zsh or fish, found “${shell}”.`);
  console.log(script());
  return 0;
}

const ALL: readonly (readonly [name: string, command: Command])[] = Object.entries<Command>(COMMANDS);
const NAMES = ALL.map(([name]) => name).join(" ");

/** Values of an option, if they are few words; `undefined`: files. Empty if it takes none. */
function valuesOf(name: OptionName): readonly string[] | undefined {
  const option = OPTIONS[name];
  if (!("argument" in option)) return [];
  if (name === "reader") return ["all", ...READER_IDS];
  return option.parse.words;
}

const NAMED = Object.keys(OPTIONS) as OptionName[];

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function bash(): string {
  const takes = ALL.map(([name, command]) => `    ${name}) words="${command.options.map(written).join(" ")}" ;;`);
  const values = NAMED.filter((name) => (valuesOf(name) ?? []).length > 0).map(
    (name) => `    ${written(name)}) words="${(valuesOf(name) ?? []).join(" ")}" ;;`,
  );
  return `_refscope() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" words=""
  if [ "$COMP_CWORD" = 1 ]; then words="${NAMES}"; else case "$before" in
${values.join("\n")}
    *) case "$current" in -*) case "\${COMP_WORDS[1]}" in
${takes.join("\n")}
    esac ;; esac ;;
  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _refscope refscope`;
}

function zsh(): string {
  const escaped = (text: string) => text.replaceAll(/[[\]:\\]/g, String.raw`\$&`);
  const specOf = (command: Command) => (name: OptionName) => {
    const [values, help] = [valuesOf(name), escaped(helpFor(command, name))];
    const argument = values === undefined ? ":value:_files" : values.length === 0 ? "" : `:value:(${values.join(" ")})`;
    return quoted(`${written(name)}[${help}]${argument}`);
  };
  const takes = ALL.map(
    ([name, command]) =>
      `    ${name}) _arguments ${[...command.options.map(specOf(command)), "'*:file:_files'"].join(" ")} ;;`,
  );
  const does = ALL.map(([name, command]) => quoted(`${name}:${escaped(command.does)}`));
  return `#compdef refscope
_refscope() {
  if (( CURRENT == 2 )); then local -a commands=(${does.join(" ")}); _describe command commands; return; fi
  shift words; (( CURRENT-- ))
  case "$words[1]" in
${takes.join("\n")}
  esac
}
if [ "$funcstack[1]" = "_refscope" ]; then _refscope "$@"; else compdef _refscope refscope; fi`;
}

function fish(): string {
  const first = "__fish_use_subcommand";
  const names = ALL.map(([name, { does }]) => `complete -c refscope -n ${first} -f -a ${name} -d ${quoted(does)}`);
  const takes = NAMED.flatMap((name) => {
    const values = valuesOf(name);
    const argument = values === undefined ? " -r -F" : values.length === 0 ? "" : ` -x -a ${quoted(values.join(" "))}`;
    const having = ALL.filter(([, command]) => command.options.includes(name));
    const alike = groupedBy(having, ([, command]) => helpFor(command, name));
    return Array.from(alike, ([help, by]) => {
      const when = quoted(`__fish_seen_subcommand_from ${by.map(([one]) => one).join(" ")}`);
      return `complete -c refscope -n ${when} -l ${written(name).slice(2)}${argument} -d ${quoted(help)}`;
    });
  });
  return [...names, ...takes].join("\n");
}

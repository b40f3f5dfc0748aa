/** Opens the repository that is named on the command line. */
import type { CallContext } from "../core/byte-source.ts";
import { repositoryOf, type SetRepository } from "../engine/engine-set.ts";
import type { CommandOptions } from "./options.ts";
import { printable } from "./lines.ts";
import { openRefs } from "./open-refs.ts";

/** Throws what opening throws, and where it is not a repository (`no-repository`), or one of several. */
export async function openRepositoryRefs(
  address: string,
  options: CommandOptions,
  context: CallContext,
): Promise<SetRepository> {
  const opened = await openRefs(address, options, context);
  if (opened.kind === "set") return repositoryOf(opened.set);
  const choices = opened.choices.map(({ id }) => `  ${printable(id)}`).join("\n");
  throw new Error(`${printable(opened.title)}. Choose one with --choice:\n${choices}`);
}

/** `history`: branches, tags, places of virtual chunks and the chain of snapshots of a repository. */
import { explained } from "./print/explained.ts";
import { inTerminal } from "../core/findings/catalogue/in-terminal.ts";
import { containerNeeds } from "../core/words/container-words.ts";
import { operationText } from "../core/words/operation-words.ts";
import type { Ancestry, ContainerSummary, RepositoryHistory, SnapshotEntry } from "../core/repository.ts";
import { repositoryOf } from "../engine/engine-set.ts";
import type { CommandOptions } from "./options.ts";
import { openSet, terminalContext } from "./open-refs.ts";
import { printableJson } from "./print/finding-json.ts";
import { printable } from "./print/lines.ts";

const needsOf = (container: ContainerSummary): string => inTerminal(containerNeeds(container));

/** 1 where the chain of snapshots is broken. */
export async function historyCommand(refs: readonly string[], options: CommandOptions): Promise<number> {
  const [address = ""] = refs;
  const context = terminalContext();
  const repository = repositoryOf(await openSet(address, options, context));
  const history = await repository.history(context);
  const ancestry = await repository.ancestry(history.shown.snapshot, options.limit ?? MOST_SNAPSHOTS, context);
  const containers = history.containers.map((one) => ({ ...one, needs: needsOf(one) }));
  const updates = history.updates.map((one) => ({ ...one, text: operationText(one) }));
  if (options.json) console.log(printableJson({ ...history, containers, updates, ancestry }));
  else for (const line of linesOf(history, ancestry)) console.log(printable(line));
  return ancestry.end === "missing" || ancestry.end === "circle" ? 1 : 0;
}

function linesOf(history: RepositoryHistory, ancestry: Ancestry): readonly string[] {
  const { format, writer, branches, tags, deletedTags, refsComplete, containers, detached, updates } = history;
  const by = writer === undefined ? "" : `, written by ${writer}`;
  return [
    `Icechunk, format ${format}${by}`,
    ...branches.map(({ name, snapshot }) => `branch ${name}  ${snapshot}`),
    ...tags.map(({ name, snapshot }) => `tag ${name}  ${snapshot}`),
    ...deletedTags.map((name) => `deleted tag ${name}`),
    ...(refsComplete ? [] : ["others cannot be listed over HTTP; name one with --ref"]),
    ...containers.flatMap(containerLines),
    "",
    shownLine(history),
    ...ancestry.entries.map(entryLine),
    ENDS[ancestry.end],
    ...(detached.length === 0 ? [] : ["", "at no branch and no tag:", ...detached.map(entryLine)]),
    ...(updates.length === 0
      ? []
      : ["", "operations:", ...updates.map((one) => `  ${one.at ?? "?"}  ${operationText(one)}`)]),
    ...(history.updatesContinueIn === undefined
      ? []
      : [`  older ones are in overwritten/${history.updatesContinueIn}`]),
  ];
}

const MOST_SNAPSHOTS = 1000;

const ENDS: Readonly<Record<Ancestry["end"], string>> = {
  first: "  (the first)",
  limit: "  (there are more: --limit N)",
  missing: "  (the parent is missing: expired or lost)",
  circle: "  (the parent is one of these: the parents form a loop)",
};

function shownLine({ shown }: RepositoryHistory): string {
  return shown.kind === "snapshot" ? `snapshot ${shown.snapshot}:` : `${shown.kind} ${shown.name}:`;
}

function containerLines(container: ContainerSummary): readonly string[] {
  const { name, prefix, store, options, ignored } = container;
  const settings = options.map(([term, value]) => ` ${term}=${value}`).join("");
  const line = `container ${name === undefined ? "" : `${name}: `}${prefix}  ${store}${settings}`;
  return [line, `  ${needsOf(container)}`, ...(ignored === undefined ? [] : [`  ${explained(ignored).message}`])];
}

function entryLine({ id, time, message, author }: SnapshotEntry): string {
  return `  ${id}  ${time ?? "?"}  ${author === undefined ? "" : `${author}: `}${message}`;
}

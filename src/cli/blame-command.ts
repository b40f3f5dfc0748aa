/** `blame`: which commit last wrote each chunk of an array, or all that was done to one chunk. */
import {
  BLAME_KINDS,
  type ArrayBlame,
  type BlamedChunks,
  type BlamedCommit,
  type ChunkEvent,
  type ChunkLife,
  type CommitChunks,
  type WrittenReference,
} from "../core/blame.ts";
import type { Finding } from "../core/findings/finding.ts";
import { cellCount, coordinatesOf } from "../core/metadata/chunk-grid.ts";
import { counted, cut } from "../core/words.ts";
import { withoutSecrets } from "../core/words/without-secrets.ts";
import { repositoryOf, type SetRepository } from "../engine/engine-set.ts";
import { openSet, terminalContext } from "./open-refs.ts";
import type { CommandOptions } from "./options.ts";
import { sayFindings } from "./print/say-findings.ts";
import { aligned, printable } from "./print/lines.ts";
import { worded } from "./print/finding-json.ts";
import { Output } from "./print/output.ts";

/** 1 where not all could be explained. */
export async function blameCommand(refs: readonly string[], options: CommandOptions): Promise<number> {
  const [address = ""] = refs;
  const { chunk, json = false } = options;
  if (options.array === undefined) throw new Error("blame needs --array PATH; info lists the arrays.");
  const array = options.array.replace(/^\//, "");
  const context = terminalContext();
  const repository = repositoryOf(await openSet(address, options, context));
  const output = new Output(process.stdout);
  const findings = await (chunk === undefined
    ? printBlame(repository, await repository.blame({ array }, context), json, output)
    : printLife(await repository.chunkLife({ array, chunk }, context), json, output));
  await output.end();
  return (await sayFindings(findings)) ? 0 : 1;
}

async function printBlame(repository: SetRepository, blame: ArrayBlame, json: boolean, output: Output) {
  if (json) await writeJson(repository, blame, output);
  else for (const line of blameLines(blame)) await output.write(`${line}\n`);
  return blame.findings;
}

// JSON: a million chunks do not fit into a string, so they are written as they are listed.

const WINDOW = 1000;

const jsonText = (value: unknown): string => withoutSecrets(JSON.stringify(value, worded));

async function writeJson(repository: SetRepository, { grid, commits, ...blame }: ArrayBlame, output: Output) {
  await output.write(`${jsonText({ ...blame, grid, commits }).slice(0, -1)},"chunks":[`);
  const cells = cellCount(grid);
  const tails = commits.map((one) =>
    BLAME_KINDS.map((kind) => JSON.stringify({ ...stateOf(kind), ...whoOf(one) }).slice(1)),
  );
  let isFirst = true;
  for (let from = 0; from < cells; from += WINDOW) {
    const text = chunksText(repository.blamedChunks(blame.array, from, from + WINDOW), grid, tails);
    await output.write(isFirst ? text.slice(1) : text.replace(",", ",\n"));
    isFirst &&= text === "";
  }
  await output.write("]}\n");
}

const whoOf = ({ id, time, orEarlier }: BlamedCommit) => ({
  snapshot: id,
  written: time ?? null,
  ...(orEarlier && { orEarlier }),
});

/** JSON of the chunks that are or were there, with a comma before each. */
function chunksText({ from, by, kinds }: BlamedChunks, grid: readonly number[], tails: readonly (readonly string[])[]) {
  let text = "";
  for (let index = 0; index < by.length; index += 1) {
    const tail = tails[(by[index] ?? 0) - 1]?.[kinds[index] ?? 0];
    if (tail !== undefined) text += `,{"chunk":"${coordinatesOf(grid, from + index).join(".")}",${tail}`;
  }
  return text;
}

const stateOf = (kind: string) =>
  kind === "deleted" || kind === "resized" ? { kind: "deleted", how: kind } : { kind };

// For people.

function blameLines({ array, snapshot, grid, commits, absent }: ArrayBlame): readonly string[] {
  const rows = commits.map((one) => [`  ${one.id}`, whenOf(one), chunkCounts(one), boxText(one), whoText(one)]);
  return [
    printable(`${array} at ${snapshot}: ${grid.join(" × ")} chunks`),
    ...aligned(rows),
    ...(absent === 0 ? [] : [`  ${counted(absent, "chunk")} never there`]),
  ];
}

const whenOf = ({ time, orEarlier }: BlamedCommit): string =>
  `${time?.slice(0, 19).replace("T", " ") ?? "time unknown"}${orEarlier ? " or earlier" : ""}`;

function chunkCounts({ written, removed }: CommitChunks): string {
  const texts = [written > 0 && counted(written, "chunk"), removed > 0 && `${counted(removed, "chunk")} removed`];
  return texts.filter(Boolean).join(", ");
}

const boxText = ({ from, to }: CommitChunks): string =>
  `[${from.map((first, axis) => (first === to[axis] ? first : `${first}–${to[axis]}`)).join(", ")}]`;

const whoText = ({ author, message, expired }: BlamedCommit): string =>
  expired ? "expired: its message is gone" : `${author === undefined ? "" : `${author}: `}${cut(message)}`;

async function printLife(life: ChunkLife, json: boolean, output: Output): Promise<readonly Finding[]> {
  const { array, chunk, events, findings } = life;
  const name = chunk.join(".");
  const [last] = events;
  const kind = last?.did === "wrote" ? (last.reference?.kind ?? "bad") : (last?.did ?? "absent");
  const chunks = last === undefined ? [] : [{ chunk: name, ...stateOf(kind), ...whoOf(last.commit) }];
  if (json) await output.write(`${jsonText({ ...life, chunk: name, chunks })}\n`);
  else {
    const rows = events.map((one) => [
      `  ${one.commit.id}`,
      whenOf(one.commit),
      DID[one.did],
      placeText(one),
      whoText(one.commit),
    ]);
    await output.write(`${printable(`${array} ${name}`)}\n`);
    for (const line of rows.length === 0 ? ["  never there"] : aligned(rows)) await output.write(`${line}\n`);
  }
  return findings;
}

const DID = {
  wrote: "written",
  deleted: "deleted",
  resized: "cut off by a shorter shape",
  touched: "written or deleted",
};

function placeText({ reference }: ChunkEvent): string {
  if (reference === undefined) return "";
  const { kind, location, chunk, offset, length, etag, lastModified } = reference satisfies WrittenReference;
  if (kind === "inline" || kind === "bad") return `${kind}${length === undefined ? "" : `, ${length} B`}`;
  const recorded = etag ?? lastModified;
  return `${location ?? chunk ?? "unreadable location"} ${offset}+${length}${recorded === undefined ? "" : ` (${recorded})`}`;
}

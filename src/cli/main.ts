/** `npm run -s refscope -- COMMAND`: see README. stdout is the answer, stderr progress; exit code 0 ok, 1 problems, 2 cannot. */
import { parseArgs } from "node:util";
import { errorSentence, toErrorFields } from "../core/errors.ts";
import { compareCommand } from "./compare-command.ts";
import { digestCommand } from "./digest-command.ts";
import { historyCommand } from "./history-command.ts";
import { infoCommand } from "./info-command.ts";
import { renderCommand } from "./render-command.ts";
import type { CommandOptions } from "./command-options.ts";

const USAGE = `Usage: npm run -s refscope -- COMMAND REFS [REFS …] [options]

  info REFS     what the set holds, and what is wrong with it
  digest REFS   shape, dtype, chunks and SHA-256 of every array, read whole
  history ADDRESS           branches, tags, containers and the chain of snapshots of an Icechunk repository
  compare ADDRESS FROM TO   what differs between two snapshots of it: nodes, and chunks of each array
  render DOC    the references that fsspec makes of the document, as Version 0 on stdout
  render --lines  the same for documents on stdin, one a line: {"refs": [[key, value], …]} or {"error": "…"} for each

REFS: a Kerchunk JSON file (plain, .gz or .zst), a Kerchunk Parquet folder, a Zarr store, an Icechunk repository, a ZIP archive of one, or its URL.
DOC: a Kerchunk JSON file or its URL.
ADDRESS: an Icechunk repository, or its URL. FROM, TO: branch, tag or snapshot, as --ref.

  --json          JSON on stdout; with several REFS an object by name as given
  --root DIR      where relative and file targets are looked up; nothing outside is read
  --target FILE   what null URLs in references mean (a path below --root, or a URL)
  --choice ID     which set of a document that holds several (info lists them)
  --ref REF       branch, tag or snapshot of a repository: NAME, branch:NAME, tag:NAME, snapshot:ID (main)
  --limit N       (history) most snapshots of the chain (1000)
  --by manifests  (compare) by both snapshots' manifests, where transaction logs would tell
  --offline       no network: remote targets fail at once
  --chunks        (digest) also a hash of each chunk
  --threads N     (digest) threads that decode chunks: as many as there are cores; 0 for none
  --template NAME=VALUE   another value for a template (may be given often)
  --most N        most references that gens may make (10,000,000)
  --simple        (render) as fsspec does by default, with simple_templates=True
`;

async function run(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: "boolean", default: false },
      chunks: { type: "boolean", default: false },
      offline: { type: "boolean", default: false },
      root: { type: "string" },
      target: { type: "string" },
      choice: { type: "string" },
      ref: { type: "string" },
      template: { type: "string", multiple: true, default: [] },
      most: { type: "string" },
      threads: { type: "string" },
      limit: { type: "string" },
      by: { type: "string" },
      simple: { type: "boolean", default: false },
      lines: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  const [command, ...refs] = positionals;
  const { root, target, choice, ref, most, threads, limit, by } = values;
  const options: CommandOptions = { ...values, root, target, choice, ref, most, threads, limit, by };
  if (values.help || command === undefined) {
    console.log(USAGE);
    return values.help ? 0 : 2;
  }
  if (command === "render") return renderCommand(refs, options);
  if (refs.length === 0) throw new Error(`${command} needs at least one REFS.\n\n${USAGE}`);
  if (command === "info") return infoCommand(refs, options);
  if (command === "digest") return digestCommand(refs, options);
  if (command === "history") return historyCommand(refs, options);
  if (command === "compare") return compareCommand(refs, options);
  throw new Error(`There is no command “${command}”.\n\n${USAGE}`);
}

// Whoever reads the answer may have had enough of it, as `head` has.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

try {
  process.exitCode = await run();
} catch (error) {
  const plain = error instanceof Error && !("fields" in error);
  console.error(plain ? error.message : errorSentence(toErrorFields(error, "Running the command")));
  process.exitCode = 2;
}

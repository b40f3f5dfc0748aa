/**
 * Runs Icechunk's own library on the repository beside ours, in a process of its own: REFSCOPE_ICECHUNK names the folder
 * in which it is installed. Only chunks that need no network are compared: inline and native ones, by their stored bytes.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import type { CallContext } from "#core/byte-source.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "#core/json/json.ts";
import { parseJson } from "#core/json/parse-json.ts";
import type { ReaderSample, ReaderVerdict } from "#core/readers/verdict.ts";
import { chunkReference } from "#engine/chunk/chunk-reference.ts";
import { loadChunk } from "#engine/chunk/load-chunk.ts";
import { sampleChunks } from "#engine/check/readers/zarrita-sample.ts";
import { printable } from "../print/lines.ts";
import { arrayNode, type EngineSet, repositoryOf } from "#engine/engine-set.ts";

/** Chunks that are compared at most, and the time that the library has. */
const [MOST_CHUNKS, MOST_MILLISECONDS] = [100, 60_000] as const;
/** Bytes of its answer that are read. */
const MOST_ANSWERED = 1 << 20;

/** The library's process: opens the snapshot, lists it, and gives the hash of each chunk, or why it cannot. */
const PROGRAM = `
import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { text } from "node:stream/consumers";
const { folder, repository, snapshotId, keys } = JSON.parse(await text(process.stdin));
const { Repository, Storage } = createRequire(folder + "/x.js")("@earthmover/icechunk");
const lineOf = (error) => String(error?.message ?? error).split("\\n")[0];
async function run() {
  const opened = await Repository.open(await Storage.newLocalFilesystem(repository));
  const { store } = await opened.readonlySession({ snapshotId });
  await store.list();
  const chunks = {};
  for (const key of keys)
    chunks[key] = await store.get(key).then(
      (bytes) => (bytes === null ? "" : createHash("sha256").update(bytes).digest("hex")),
      (error) => "! " + lineOf(error),
    );
  return { chunks };
}
process.stdout.write(JSON.stringify(await run().catch((error) => ({ failed: lineOf(error) }))), () => process.exit(0));
`;

/** Throws where `--run` cannot be done: asked before anything is checked. */
export function requireIcechunk(refs: readonly string[], reader: string | undefined): void {
  if (reader?.startsWith("icechunk") !== true)
    throw new Error("--run runs Icechunk's library: say --reader icechunk. zarrita is run without being asked.");
  libraryFolder();
  for (const one of refs)
    if (statSync(resolve(one), { throwIfNoEntry: false })?.isDirectory() !== true)
      throw new Error("--run reads repositories in folders of this computer only.");
}

function libraryFolder(): string {
  const folder = process.env.REFSCOPE_ICECHUNK ?? "";
  if (folder !== "" && existsSync(join(folder, "node_modules/@earthmover/icechunk"))) return resolve(folder);
  throw new Error(
    "--run needs Icechunk's library: npm install @earthmover/icechunk in a folder, and name the folder in REFSCOPE_ICECHUNK.",
  );
}

/** Verdicts with what the run found. */
export async function withIcechunkRun(
  verdicts: readonly ReaderVerdict[],
  refs: string,
  set: EngineSet,
  context: CallContext,
): Promise<readonly ReaderVerdict[]> {
  const [folder, repository] = [libraryFolder(), resolve(refs)];
  const ours = await storedBytes(set, context);
  const { snapshot: snapshotId } = repositoryOf(set).summary.shown;
  const asked = JSON.stringify({ folder, repository, snapshotId, keys: [...ours.keys()] });
  const answer = await answerOf(folder, asked, context);
  const failed = answer.get("failed");
  if (typeof failed === "string") console.error(`Icechunk's library does not open it: ${printable(failed)}`);
  const run = judged(ours, answer.get("chunks"), set.tally.cells);
  return verdicts.map((one) => (one.reader.id === "icechunk" ? { ...one, run } : one));
}

/** Hashes of stored bytes by the keys of Icechunk's store. */
async function storedBytes(set: EngineSet, context: CallContext): Promise<ReadonlyMap<string, string>> {
  const stored = new Map<string, string>();
  for (const { array, coordinates } of sampleChunks(set, MOST_CHUNKS)) {
    const chunk = await chunkReference(set, arrayNode(set, array), coordinates, context);
    if (chunk.reference.kind !== "inline" && chunk.reference.kind !== "native") continue;
    const loaded = await loadChunk(set, chunk, context);
    const key = [array, "c", ...coordinates].filter((part) => part !== "").join("/");
    if (loaded.kind === "bytes") stored.set(key, createHash("sha256").update(loaded.bytes).digest("hex"));
  }
  return stored;
}

async function answerOf(folder: string, asked: string, { signal }: CallContext): Promise<JsonObject> {
  const shim = join(folder, "libisoc23.so");
  const library = spawn(process.execPath, ["--input-type=module", "-e", PROGRAM], {
    stdio: ["pipe", "pipe", "ignore"],
    timeout: MOST_MILLISECONDS,
    signal,
    // The addon wants glibc 2.38; a folder may hold what older ones lack.
    env: { ...process.env, ...(existsSync(shim) && { LD_PRELOAD: shim }) },
  });
  const ended = new Promise<void>((done, fail) => {
    library.once("error", fail);
    library.once("close", () => done());
  });
  library.stdin.on("error", () => undefined);
  library.stdin.end(asked);
  const [written] = await Promise.all([text(library.stdout), ended]);
  const isAnswer = written !== "" && written.length <= MOST_ANSWERED;
  const answer = isAnswer ? parseJson(written).value : undefined;
  if (isJsonObject(answer)) return answer;
  return new Map([["failed", `no answer within ${MOST_MILLISECONDS / 1000} s`]]);
}

function judged(ours: ReadonlyMap<string, string>, theirs: JsonValue | undefined, of: number): ReaderSample {
  const found: JsonObject = isJsonObject(theirs) ? theirs : new Map();
  let [same, failed] = [0, 0];
  for (const [key, hash] of ours) {
    const other = found.get(key);
    if (other === hash) same += 1;
    else if (typeof other !== "string" || other.startsWith("! ")) failed += 1;
  }
  return { of, compared: ours.size, same, different: ours.size - same - failed, failed, unjudged: 0 };
}

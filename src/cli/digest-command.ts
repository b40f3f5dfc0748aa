/** `digest`: hashes of all arrays. */
import { counted } from "../core/words.ts";
import { explained } from "./print/explained.ts";
import { explainedText } from "../core/findings/explained.ts";
import { createHash } from "node:crypto";
import type { CallContext } from "../core/byte-source.ts";
import { type Finding, finding, findingOfError, WHOLE_SET } from "../core/findings/finding.ts";
import { FindingLog } from "../core/findings/finding-log.ts";
import { digestArray, type ArrayDigest } from "../engine/digest/digest.ts";
import type { EngineSet } from "../engine/engine-set.ts";
import type { ChunkDecoder } from "../engine/chunk/chunk-decoder.ts";
import type { CommandOptions } from "./options.ts";
import { nodePool } from "./decode-threads.ts";
import { findingLines, printUnopened } from "./print/finding-lines.ts";
import { jsonByName } from "./print/finding-json.ts";
import { aligned, paint, printable } from "./print/lines.ts";
import { ChoiceNeeded, openSet, terminalContext } from "./open-refs.ts";

type DigestInWords = Omit<ArrayDigest, "errors"> & { readonly errors?: Readonly<Record<string, string>> };

interface SetDigest {
  readonly arrays: Readonly<Record<string, DigestInWords>>;
  readonly findings: readonly Finding[];
  /** Why the set could not be opened. */
  readonly error?: string;
}

export async function digestCommand(refs: readonly string[], options: CommandOptions): Promise<number> {
  const context = terminalContext();
  const digests = new Map<string, SetDigest>();
  const pool = nodePool(options.threads);
  for (const one of refs) {
    const digest = await digestRefs(one, options, pool, context);
    digests.set(one, digest);
    if (!options.json) print(one, digest);
  }
  pool.close();
  if (options.json) console.log(jsonByName(digests));
  return exitCode([...digests.values()]);
}

function exitCode(digests: readonly SetDigest[]): number {
  if (digests.some((digest) => digest.error !== undefined)) return 2;
  const failed = (digest: SetDigest) => Object.values(digest.arrays).some((array) => array.errors !== undefined);
  const faulty = (digest: SetDigest) => digest.findings.some((one) => explained(one).severity === "error");
  return digests.some((digest) => failed(digest) || faulty(digest)) ? 1 : 0;
}

async function digestRefs(
  refs: string,
  options: CommandOptions,
  decoder: ChunkDecoder,
  context: CallContext,
): Promise<SetDigest> {
  try {
    return await digestSet(await openSet(refs, options, context), options, decoder, context);
  } catch (cause) {
    const isChoice = cause instanceof ChoiceNeeded;
    const error = isChoice ? cause.message : explainedText(findingOfError(cause, `Opening ${refs}`), explained);
    return { arrays: {}, findings: [finding("not-opened", WHOLE_SET, { reason: error })], error };
  }
}

async function digestSet(
  set: EngineSet,
  { chunks = false }: CommandOptions,
  decoder: ChunkDecoder,
  context: CallContext,
): Promise<SetDigest> {
  const newHash = () => {
    const hash = createHash("sha256");
    return { update: (bytes: Uint8Array) => void hash.update(bytes), digest: () => hash.digest("hex") };
  };
  const arrays = Object.create(null) as Record<string, DigestInWords>;
  const findings = new FindingLog();
  findings.addAll(set.findings);
  for (const node of set.hierarchy.nodes.values()) {
    if (node.kind !== "array") continue;
    const digested = await digestArray(set, node, { newHash, perChunk: chunks, decoder }, context);
    arrays[node.path] = inWords(digested.digest);
    findings.addAll(digested.findings);
  }
  return { arrays, findings: findings.list() };
}

function inWords({ errors, ...digest }: ArrayDigest): DigestInWords {
  if (errors === undefined) return digest;
  const texts = Object.entries(errors).map(([key, error]) => [key, explainedText(error, explained)]);
  return { ...digest, errors: Object.fromEntries(texts) as Record<string, string> };
}

function print(name: string, { arrays, findings, error }: SetDigest): void {
  if (error !== undefined) return printUnopened(name, error);
  console.log(paint("heading", printable(name)));
  for (const line of [...arraysLines(arrays), ...findingLines(findings)]) console.log(`  ${line}`);
}

function arraysLines(arrays: SetDigest["arrays"]): readonly string[] {
  const heads = aligned(
    Object.entries(arrays).map(([path, { shape, dtype, chunks }]) => [
      path === "" ? "/" : path,
      dtype,
      `[${shape.join(", ")}]`,
      `chunks ${JSON.stringify(chunks).replaceAll(",", ", ")}`,
    ]),
  );
  const all = Object.values(arrays);
  return [...all.flatMap((array, at) => [heads[at] ?? "", ...hashLines(array)]), ...totalLines(all)];
}

function hashLines({ sha256, sha256_json: ofJson, undefined: isOpen, errors = {} }: DigestInWords): readonly string[] {
  const notes = [...(ofJson === undefined ? [] : ["of JSON"]), ...(isOpen === true ? ["values not defined"] : [])];
  const note = notes.length === 0 ? "" : `  (${notes.join(", ")})`;
  return [
    ...(sha256 === undefined ? [] : [`  sha256 ${sha256}${note}`]),
    ...Object.entries(errors).map(([key, reason]) => `  ${paint("error", "✕")} ${printable(`${key}: ${reason}`)}`),
  ];
}

function totalLines(arrays: readonly DigestInWords[]): readonly string[] {
  if (arrays.length === 0) return ["no arrays"];
  const hashed = arrays.filter(({ sha256 }) => sha256 !== undefined).length;
  const failures = arrays.reduce((sum, { errors = {} }) => sum + Object.keys(errors).length, 0);
  const failed = failures === 0 ? "" : `, ${counted(failures, "failure")}`;
  return [`${counted(arrays.length, "array")}, ${hashed} with a hash${failed}`];
}

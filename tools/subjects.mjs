/**
 * Checks commit messages: a subject of at most 72 letters in the imperative ("Add", not "Adds" or "The …"), an empty
 * line, and the reason in the body. `tools/hooks/commit-msg` runs it on the file that has the message; `measure` counts
 * the commits since the rule came that break it.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ROOT } from "./ensure.mjs";

/** The last commit before the rule. */
const BEFORE_THE_RULE = "f8c1ec2035f0422a944f973eb402ca646e768e9b";
const MAX_SUBJECT = 72;
/** Words that begin a sentence about the product, not an order: articles, and verbs in "-s", "-ed" or "-ing". */
const NOT_IMPERATIVE =
  /^(?:a|an|the|it|this|that|there|no|(?!(?:\w+(?:ss|us|is|as)|embed|need|feed|seed|speed|bring|string)\b)\w+(?:s|ed|ing))\b/i;

/** Fault of a message, in words; `undefined` if it has none. */
export function faultOf(message) {
  const [subject, empty, ...body] = message
    .replace(/^#.*\n?/gm, "")
    .trim()
    .split("\n");
  if (subject.length > MAX_SUBJECT)
    return `the subject has ${subject.length} letters, at most ${MAX_SUBJECT} are allowed`;
  if (NOT_IMPERATIVE.test(subject)) return `the subject does not begin with an imperative ("Add …")`;
  if (!body.some((line) => line.trim() !== "")) return "the body does not say why";
  if (empty !== "") return "no empty line follows the subject";
  return undefined;
}

const git = (...args) =>
  execFileSync("git", args, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });

/** Messages of all commits since the rule, without merges; `undefined` where the history is not here (an archive, a shallow clone). */
export function messagesSinceTheRule() {
  try {
    return git("log", "--no-merges", "--format=%B%x00", `${BEFORE_THE_RULE}..HEAD`)
      .split("\0\n")
      .filter((text) => text.trim() !== "");
  } catch {
    return undefined;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const fault = faultOf(readFileSync(process.argv[2], "utf8"));
  if (fault !== undefined) {
    console.error(`Commit message: ${fault}.`);
    process.exitCode = 1;
  }
}

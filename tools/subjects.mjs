/**
 * Checks commit messages: a subject of at most 72 letters in the imperative ("Add", not "Adds" or "The …"), an empty
 * line, and the reason in the body. With a file (`tools/hooks/commit-msg` gives one) checks the message in it; else
 * every commit since this rule came. Exits with 1 if one breaks the rule.
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

/** What is wrong with a message, in words; `undefined` if nothing is. */
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

function main([file]) {
  const messages = file === undefined ? messagesSinceTheRule() : [readFileSync(file, "utf8")];
  if (messages === undefined) return console.log("Skipped: the history since the rule is not here.");
  for (const message of messages) {
    const fault = faultOf(message);
    if (fault === undefined) continue;
    console.error(`"${message.trim().split("\n")[0]}": ${fault}.`);
    process.exitCode = 1;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));

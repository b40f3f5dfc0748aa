/**
 * All that the action does: runs `refscope check` on every set, prints annotations, writes the summary, one SARIF file
 * and the verdicts, and on a schedule opens, updates or closes an issue a set. Node alone, no package.
 */
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";

/** Inputs come as variables, never as parts of a shell's line. */
export const inputOf = (env, name) => (env[`REFSCOPE_${name.toUpperCase().replaceAll("-", "_")}`] ?? "").trim();
const linesOf = (text) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
const isUrl = (name) => /^[a-z][a-z\d+.-]*:\/\//i.test(name);

/** Without what may give access. */
const nameOf = (set) => (isUrl(set) ? set.replace(/(?<=:\/\/)[^/@]*@/, "").replace(/\?[^|]*/, "") : set);

/** Paths and addresses, each once. What matches nothing stays, and fails by its name. */
export function setsOf(env, root = process.cwd()) {
  const files = linesOf(inputOf(env, "files")).flatMap((one) => (/[*?]/.test(one) ? globbed(one, root) : [one]));
  return [...new Set([...files, ...linesOf(inputOf(env, "urls"))])];
}

/** `*` within a name, `**` across folders. A folder may be a set: what is in it is not looked for. */
function globbed(pattern, root) {
  const source = pattern.replace(/^\.\//, "").replaceAll(/[.+^${}()|[\]\\]/g, "\\$&");
  const parts = { "**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]" };
  const wanted = new RegExp(`^${source.replaceAll(/\*\*\/|\*\*|\*|\?/g, (part) => parts[part])}$`);
  const found = (folder) =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      const name = relative(root, path).replaceAll("\\", "/");
      if (wanted.test(name)) return [name];
      return entry.isDirectory() && !/^(?:\.git|node_modules)$/.test(entry.name) ? found(path) : [];
    });
  const all = found(root).toSorted();
  return all.length === 0 ? [pattern] : all;
}

/** What `npx` runs for a set; reports go to `folder`. */
export function commandOf(env, set, folder) {
  const file = inputOf(env, "package");
  const program = file === "" ? [`refscope@${inputOf(env, "version") || "latest"}`] : [`--package=${file}`, "refscope"];
  const reports = ["json", "sarif", "markdown"].flatMap((form) => ["--report", `${form}=${join(folder, form)}`]);
  const [deep, reader, expect, accept, failOn] = ["deep", "reader", "expect", "accept", "fail-on"].map((name) =>
    inputOf(env, name) === "" ? [] : [`--${name}`, inputOf(env, name)],
  );
  const network = inputOf(env, "network") === "true" ? ["--network"] : [];
  const given = [...deep, ...network, ...reader, ...expect, ...accept, ...failOn];
  return ["--yes", ...program, "check", "--format", "github", ...reports, ...given, "--", set];
}

/** One run over all sets, as hosts want it. What lies elsewhere is shown where the workflow names it. */
export function mergedSarif(logs, workflow) {
  const runs = logs.flatMap((log) => log.runs);
  const [first] = runs;
  if (first === undefined) return undefined;
  const rules = new Map(runs.flatMap(({ tool }) => tool.driver.rules).map((rule) => [rule.id, rule]));
  const lines = workflow.text.split("\n");
  for (const { locations } of runs.flatMap(({ results }) => results)) {
    for (const { physicalLocation: at } of locations) {
      if (!isUrl(at.artifactLocation.uri) || workflow.path === "") continue;
      const line = lines.findIndex((text) => text.includes(at.artifactLocation.uri));
      at.artifactLocation = { uri: workflow.path, uriBaseId: "%SRCROOT%" };
      at.region = { startLine: line + 1 || 1 };
    }
  }
  const driver = { ...first.tool.driver, rules: [...rules.values()] };
  return { ...logs[0], runs: [{ tool: { driver }, results: runs.flatMap(({ results }) => results) }] };
}

/** `owner/name/.github/workflows/a.yml@refs/heads/main` names the file of the workflow. */
function workflowOf({ GITHUB_WORKFLOW_REF = "", GITHUB_REPOSITORY = "" }) {
  const path = GITHUB_WORKFLOW_REF.replace(`${GITHUB_REPOSITORY}/`, "").replace(/@.*$/, "");
  return { path, text: path !== "" && existsSync(path) ? readFileSync(path, "utf8") : "" };
}

const MOST = 400;

/** What the page draws, docs/action.md: the latest last, at most 400 of a set. */
export function withVerdict(verdicts, { set, report, date }) {
  const bad = report.findings.filter(({ severity }) => severity !== "info");
  const firstTarget = bad.find(({ target }) => target !== undefined)?.target;
  const verdict = Object.fromEntries(Object.entries(report.verdict).map(([name, { answer }]) => [name, answer]));
  const name = nameOf(set);
  const entry = {
    set: name,
    date,
    verdict,
    problems: bad.length,
    ...(firstTarget === undefined ? {} : { firstTarget }),
  };
  const own = [...verdicts.filter((one) => one.set === name), entry].slice(-MOST);
  return [...verdicts.filter((one) => one.set !== name), ...own];
}

export const titleOf = (set) => `Refscope: ${nameOf(set)}`.slice(0, 250);
/** Of GitHub's 65,536 characters. */
const MOST_TEXT = 60_000;

/** One open issue a set, known by its label and title; closed when all is fine. */
export async function keepIssue({ set, markdown, isFine, run }, ask) {
  const cut = markdown.length > MOST_TEXT ? `${markdown.slice(0, MOST_TEXT)}\n\n… (cut)` : markdown;
  const body = `${cut}\n\n[The run that found this](${run})`;
  const title = titleOf(set);
  let open;
  for (let page = 1; open === undefined && page <= 10; page += 1) {
    const issues = await ask("GET", `issues?state=open&labels=refscope&per_page=100&page=${page}`);
    open = issues.find((issue) => issue.title === title && issue.pull_request === undefined);
    if (issues.length < 100) break;
  }
  if (isFine)
    return open && ask("PATCH", `issues/${open.number}`, { body, state: "closed", state_reason: "completed" });
  if (open !== undefined) return ask("PATCH", `issues/${open.number}`, { body });
  return ask("POST", "issues", { title, body, labels: ["refscope"] });
}

/** GitHub's API for this repository. Throws where it refuses. */
const gitHub =
  ({ GITHUB_API_URL, GITHUB_REPOSITORY, GITHUB_TOKEN }) =>
  async (method, path, body) => {
    const headers = { authorization: `Bearer ${GITHUB_TOKEN}`, accept: "application/vnd.github+json" };
    const url = `${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}/${path}`;
    const answer = await globalThis.fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (answer.ok) return answer.json();
    throw new Error(`GitHub answered ${answer.status} to ${method} ${path}: does the job have “issues: write”?`);
  };

const runOf = ({ GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_RUN_ID }) =>
  `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}`;

const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));

/** `run`: what starts a program and gives its status and output. Gives the exit code: the worst of all sets. */
export async function main(env, { run = npx, ask = gitHub(env), now = new Date(), say = console.log } = {}) {
  const sets = setsOf(env);
  if (sets.length === 0) {
    say("::error::No dataset: name some in “files” or “urls”.");
    return 2;
  }
  const wantsIssues = inputOf(env, "issues");
  const isAsked = wantsIssues === "true" || (wantsIssues !== "false" && env.GITHUB_EVENT_NAME === "schedule");
  const verdictsPath = inputOf(env, "verdicts");
  let verdicts = verdictsPath !== "" && existsSync(verdictsPath) ? readJson(verdictsPath) : [];
  const logs = [];
  /** @type {string[]} */
  const failures = [];
  let worst = 0;
  for (const set of sets) {
    const folder = mkdtempSync(join(tmpdir(), "refscope-"));
    const { status, stdout } = run(commandOf(env, set, folder));
    worst = Math.max(worst, status);
    if (stdout.trim() !== "") say(stdout.trim());
    if (!existsSync(join(folder, "markdown"))) {
      say(`::error::refscope did not run on ${set.replaceAll(/[\r\n%]/g, " ")}: see above.`);
      continue;
    }
    const markdown = readFileSync(join(folder, "markdown"), "utf8");
    if (env.GITHUB_STEP_SUMMARY) appendFileSync(env.GITHUB_STEP_SUMMARY, `${markdown}\n`);
    logs.push(readJson(join(folder, "sarif")));
    const report = readJson(join(folder, "json"));
    if (report.verdict !== undefined) verdicts = withVerdict(verdicts, { set, report, date: now.toISOString() });
    if (!isAsked) continue;
    const kept = { set, markdown, isFine: status === 0, run: runOf(env) };
    await keepIssue(kept, ask).catch((error) => failures.push(String(error.message)));
  }
  for (const message of failures) say(`::error::${message}`);
  const sarif = mergedSarif(logs, workflowOf(env));
  const sarifPath = inputOf(env, "sarif");
  if (sarif !== undefined && sarifPath !== "") writeFileSync(sarifPath, `${JSON.stringify(sarif, null, 1)}\n`);
  if (verdictsPath !== "") writeFileSync(verdictsPath, `${JSON.stringify(verdicts, null, 1)}\n`);
  if (env.GITHUB_OUTPUT) appendFileSync(env.GITHUB_OUTPUT, `code=${worst}\n`);
  return failures.length > 0 ? Math.max(worst, 2) : worst;
}

function npx(args) {
  const isWindows = process.platform === "win32";
  // A shell would read what stands in addresses: npm's own script is started instead of npx.cmd.
  const program = isWindows ? [join(process.execPath, "..", "node_modules/npm/bin/npx-cli.js")] : [];
  const options = { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"], maxBuffer: 2 ** 28 };
  const { status, stdout } = spawnSync(isWindows ? process.execPath : "npx", [...program, ...args], options);
  return { status: status ?? 2, stdout: stdout ?? "" };
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  process.exitCode = await main(process.env);

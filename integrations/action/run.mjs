/**
 * All that the action does: runs `refscope check` on every set, prints annotations, writes the summary, one SARIF file
 * and the verdicts, and on a schedule opens, updates or closes an issue a set. Node alone, no package. The checkout may be a
 * stranger's: none of its code or configuration is run, and what is run has no token.
 */
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

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

/** What npm installs: the version of this action, where no other is asked for. */
export function packageOf(env) {
  const file = inputOf(env, "package");
  const own = () => readJson(fileURLToPath(new URL("../../package.json", import.meta.url))).version;
  return file === "" ? `refscope@${inputOf(env, "version") || own()}` : resolve(file);
}

/** What refscope is run with for a set; reports go to `folder`. */
export function commandOf(env, set, folder) {
  const reports = ["json", "sarif", "markdown"].flatMap((form) => ["--report", `${form}=${join(folder, form)}`]);
  const [deep, reader, expect, accept, failOn] = ["deep", "reader", "expect", "accept", "fail-on"].map((name) =>
    inputOf(env, name) === "" ? [] : [`--${name}`, inputOf(env, name)],
  );
  const network = inputOf(env, "network") === "true" ? ["--network"] : [];
  const given = [...deep, ...network, ...reader, ...expect, ...accept, ...failOn];
  return ["check", "--format", "github", ...reports, ...given, "--", set];
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

/** Of a file that this action wrote, or somebody else. */
function readVerdicts(path) {
  if (path === "" || !existsSync(path)) return [];
  let verdicts;
  try {
    verdicts = readJson(path);
  } catch {
    return undefined;
  }
  const isList = Array.isArray(verdicts) && verdicts.every((one) => typeof one?.set === "string");
  return isList ? verdicts : undefined;
}

/** `run`: what runs refscope and gives its status and output. Gives the exit code: the worst of all sets. */
export async function main(env, { run, ask = gitHub(env), now = new Date(), say = console.log } = {}) {
  const ended = (code, problem) => {
    if (problem !== undefined) say(`::error::${problem.replaceAll(/[\r\n%]/g, " ")}`);
    if (env.GITHUB_OUTPUT) appendFileSync(env.GITHUB_OUTPUT, `code=${code}\n`);
    return code;
  };
  const sets = setsOf(env);
  if (sets.length === 0) return ended(2, "No dataset: name some in “files” or “urls”.");
  const wantsIssues = inputOf(env, "issues");
  const isAsked = wantsIssues === "true" || (wantsIssues !== "false" && env.GITHUB_EVENT_NAME === "schedule");
  const verdictsPath = inputOf(env, "verdicts");
  let verdicts = readVerdicts(verdictsPath);
  if (verdicts === undefined)
    return ended(2, `${verdictsPath} is no list of verdicts, [{"set": …}, …]: name another file in “verdicts”.`);
  const program = run ?? installed(packageOf(env), env);
  if (program === undefined) return ended(2, `${packageOf(env)} could not be installed: see above.`);
  const logs = [];
  /** @type {string[]} */
  const failures = [];
  let worst = 0;
  for (const set of sets) {
    const folder = mkdtempSync(join(tmpdir(), "refscope-"));
    const { status, stdout } = program(commandOf(env, set, folder));
    // Without reports nothing was checked, whatever the status says.
    const isChecked = ["markdown", "sarif", "json"].every((form) => existsSync(join(folder, form)));
    worst = Math.max(worst, isChecked ? status : 2);
    if (stdout.trim() !== "") say(stdout.trim());
    if (!isChecked) {
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
  return ended(failures.length > 0 ? Math.max(worst, 2) : worst);
}

const REGISTRY = "https://registry.npmjs.org/";
/** Of the environment: no token, and nothing that npm or Node take for configuration. */
const KEPT =
  /^(?:PATH|HOME|USERPROFILE|APPDATA|LOCALAPPDATA|SYSTEMROOT|TEMP|TMP|TMPDIR|LANG|LC_ALL|TZ|(?:HTTPS?|NO)_PROXY|NODE_EXTRA_CA_CERTS)$/i;

/** Installs the package in an empty folder, by the public registry alone. Gives what runs it, where the datasets are. */
function installed(what, environment) {
  const folder = mkdtempSync(join(tmpdir(), "refscope-"));
  const env = Object.fromEntries(Object.entries(environment).filter(([name]) => KEPT.test(name)));
  // npm goes up to the first folder that has one.
  writeFileSync(join(folder, "package.json"), "{}");
  const config = ["user", "global"].map((name) => `--${name}config=${join(folder, `${name}.npmrc`)}`);
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"];
  const args = [
    "install",
    ...config,
    `--registry=${REGISTRY}`,
    `--cache=${join(folder, "cache")}`,
    ...quiet,
    "--",
    what,
  ];
  const isWindows = process.platform === "win32";
  // A shell would read what stands in names: npm's own script is started instead of npm.cmd.
  const npm = isWindows ? [process.execPath, join(process.execPath, "../node_modules/npm/bin/npm-cli.js")] : ["npm"];
  const { status } = spawnSync(npm[0], [...npm.slice(1), ...args], { cwd: folder, env, stdio: ["ignore", 2, 2] });
  const home = join(folder, "node_modules/refscope");
  if (status !== 0 || !existsSync(join(home, "package.json"))) return undefined;
  const { bin } = readJson(join(home, "package.json"));
  const program = join(home, typeof bin === "string" ? bin : bin.refscope);
  return (command) => {
    const options = { env, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"], maxBuffer: 2 ** 28 };
    const ran = spawnSync(process.execPath, [program, ...command], options);
    return { status: ran.status ?? 2, stdout: ran.stdout ?? "" };
  };
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  process.exitCode = await main(process.env);

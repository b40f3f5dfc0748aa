/**
 * `npm test`: installs what is missing (a Chromium too) and runs what everybody runs; `npm run test:deep` (`--deep`) the
 * sweeps and figures: more cases, other seeds, planted faults, every published case in a browser, the short stories in
 * Chromium too, with all faults of servers. CI runs both. Arguments choose steps: `npm test unit e2e`. With REFSCOPE_COVERAGE=1, as CI has it, the unit
 * tests print how much of the code they run.
 */
import { spawn } from "node:child_process";
import { hasChanged } from "./changed.mjs";
import { ensureChromium, ensureDependencies, ensureOtherEngines, findPython, ROOT } from "./ensure.mjs";

const coverage = process.env.REFSCOPE_COVERAGE === "1" ? ["--coverage"] : [];
const script = (name, ...more) => ["npm", "run", "-s", name, ...more];
const python = findPython();
/** Of the wheel's own code. */
const PYTHON =
  python === undefined
    ? ["node", "-p", "'Skipped: there is no Python 3.9 or later.'"]
    : [python, "-B", "-m", "unittest", "discover", "-s", "python/tests", "-t", "python"];

const isDeep = process.argv.includes("--deep");
if (isDeep) process.env.REFSCOPE_DEEP = "1";
/** Attacks on the sandbox, which nothing outside its folder makes weaker. */
const SANDBOX = "e2e/sandbox.spec.ts";
const skipsSandbox = !isDeep && !hasChanged("src/sandbox", SANDBOX);
if (skipsSandbox) process.env.REFSCOPE_SKIP = SANDBOX;

/** One after another; the steps of a round side by side, since each of them leaves a core idle for most of its time. */
const BUILD = ["npx", "vite", "build", "--logLevel", "error"];
const STORIES = { e2e: ["npx", "playwright", "test"] };
const DEEP = [
  { build: BUILD, unit: ["npx", "vitest", "run"] },
  STORIES,
  { engines: script("engines", "chromium", "firefox", "webkit") },
];
const USUAL = [
  {
    format: script("format:check"),
    lint: script("lint"),
    types: script("types"),
    measure: [...script("measure"), "--", "--check"],
    python: PYTHON,
    build: BUILD,
    terminal: ["node", "tools/build-terminal.mjs"],
  },
  { unit: ["npx", "vitest", "run", ...coverage] },
  STORIES,
  { engines: script("engines") },
];
const ROUNDS = isDeep ? DEEP : USUAL;

/** Runs a step; what it prints is shown at once where it runs alone, else whole when it has ended. */
async function run(name, [command, ...args], alone) {
  if (alone) console.log(`\n── ${name}`);
  const started = performance.now();
  const output = [];
  const stdio = alone ? "inherit" : ["ignore", "pipe", "pipe"];
  const child = spawn(command, args, { cwd: ROOT, stdio, shell: process.platform === "win32" });
  child.stdout?.on("data", (piece) => output.push(piece));
  child.stderr?.on("data", (piece) => output.push(piece));
  const code = await new Promise((done) => {
    child.on("error", (error) => {
      output.push(Buffer.from(`Could not run ${command}: ${error.message}\n`));
      done(1);
    });
    child.on("close", (status) => done(status ?? 1));
  });
  if (!alone) console.log(`\n── ${name}`);
  process.stdout.write(Buffer.concat(output));
  return { name, code, seconds: (performance.now() - started) / 1000 };
}

const line = (seconds, text) => `${seconds.toFixed(0).padStart(5)} s  ${text}`;

async function runRounds(asked) {
  const results = [];
  for (const round of ROUNDS) {
    const steps = Object.entries(round).filter(([name]) => asked.length === 0 || asked.includes(name));
    if (steps.some(([name]) => name === "engines")) ensureOtherEngines();
    const ended = await Promise.all(steps.map(([name, command]) => run(name, command, steps.length === 1)));
    results.push(...ended);
    if (ended.some(({ code }) => code !== 0)) break;
  }
  return results;
}

const asked = process.argv.slice(2).filter((name) => name !== "--deep");
const unknown = asked.filter((name) => !ROUNDS.some((round) => name in round));
if (unknown.length > 0) {
  console.error(`There is no step ${unknown.join(", ")}.`);
  process.exit(1);
}
const ran = (step) => asked.length === 0 || asked.includes(step);
const started = performance.now();
ensureDependencies();
process.env.REFSCOPE_CHROMIUM = await ensureChromium();
const results = await runRounds(asked);
console.log("");
for (const { name, code, seconds } of results) console.log(line(seconds, code === 0 ? name : `${name}: failed`));
console.log(line((performance.now() - started) / 1000, "together"));
if (skipsSandbox && ran("e2e")) console.log(`Skipped: ${SANDBOX}, since src/sandbox has not changed.`);
if (!isDeep && (ran("unit") || ran("e2e")))
  console.log("Skipped: deep tests and stories. npm run test:deep runs all that was skipped.");
process.exitCode = results.every(({ code }) => code === 0) ? 0 : 1;

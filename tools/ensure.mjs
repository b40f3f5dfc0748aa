/** What `npm start` and `npm test` need on a fresh clone: the packages of the lock file, and for tests a Chromium. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** Runs a command in the project, its output shown; returns its exit code. */
export function run(command, args, options = {}) {
  const shell = process.platform === "win32";
  const result = spawnSync(command, args, { cwd: ROOT, stdio: "inherit", shell, ...options });
  if (result.error) console.error(`Could not run ${command}: ${result.error.message}`);
  return result.status ?? 1;
}

/** Runs a command and ends this process with its exit code where that is not 0. */
export function must(command, args, options) {
  const code = run(command, args, options);
  if (code !== 0) process.exit(code);
}

/** Installs what the lock file names, unless exactly that is installed already. */
export function ensureDependencies({ quiet = false } = {}) {
  if (installedAsLocked()) return;
  if (!quiet) console.log("Installing packages …");
  // In a CI or production environment npm would leave the development packages out; building needs them.
  const args = ["ci", "--include=dev", "--no-audit", "--no-fund"];
  must("npm", args, quiet ? { stdio: ["ignore", 2, 2] } : {});
}

function installedAsLocked() {
  const wanted = packagesOf(join(ROOT, "package-lock.json"));
  const installed = packagesOf(join(ROOT, "node_modules", ".package-lock.json"));
  if (wanted === undefined || installed === undefined) return false;
  return Object.entries(wanted).every(
    ([path, { version, optional }]) => path === "" || optional === true || installed[path]?.version === version,
  );
}

function packagesOf(lockFile) {
  try {
    return JSON.parse(readFileSync(lockFile, "utf8")).packages;
  } catch {
    return undefined;
  }
}

const INSTALLED = {
  linux: ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"].map(
    (name) => `/usr/bin/${name}`,
  ),
  darwin: [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
  ],
  win32: [
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe",
  ],
};

/** Path of a Chromium: REFSCOPE_CHROMIUM, an installed one, else Playwright's own; `undefined` where there is none. */
export async function findChromium() {
  const named = process.env.REFSCOPE_CHROMIUM;
  if (named !== undefined && existsSync(named)) return named;
  const installed = (INSTALLED[process.platform] ?? []).find((path) => existsSync(path));
  if (installed !== undefined) return installed;
  const { chromium } = await import(pathToFileURL(join(ROOT, "node_modules/@playwright/test/index.mjs")).href);
  const own = chromium.executablePath();
  return existsSync(own) ? own : undefined;
}

/** A Python that the wheel's own code runs in; `undefined` where there is none. */
export function findPython() {
  const asks = ["-c", "import sys, lzma; sys.exit(sys.version_info < (3, 9))"];
  return ["python3", "/usr/bin/python3"].find((one) => spawnSync(one, asks, { stdio: "ignore" }).status === 0);
}

/**
 * Finds a Chromium, or installs one: Debian's headless shell where that needs no asking, Playwright's download, then the
 * system's packages. The shell is the same engine without the parts of a window: stories take less than half of the
 * processor's time in it.
 */
export async function ensureChromium() {
  if (process.env.REFSCOPE_CHROMIUM === undefined) installOnDebian({ "chromium-headless-shell": HEADLESS_SHELL });
  const found = await findChromium();
  if (found !== undefined) return found;
  console.log("No Chromium found: trying Playwright's download …");
  run("npx", ["playwright", "install", "chromium"]);
  const own = await findChromium();
  if (own !== undefined) return own;
  if (process.platform === "linux") {
    console.log("Playwright's download did not work: trying the system's packages …");
    const root = process.getuid?.() === 0;
    const apt = (...args) => (root ? run("apt-get", args) : run("sudo", ["-n", "apt-get", ...args]));
    apt("update", "-qq");
    apt("install", "-y", "-qq", "--no-install-recommends", "chromium");
  }
  const last = await findChromium();
  if (last === undefined) {
    console.error("No Chromium for the tests. Install one, or name it in REFSCOPE_CHROMIUM.");
    process.exit(1);
  }
  return last;
}

/** Debian's packages of the engines besides Chromium, each with a program that it brings. */
const ENGINE_PACKAGES = { "firefox-esr": "firefox-esr", "webkit2gtk-driver": "WebKitWebDriver", xvfb: "Xvfb" };

const HEADLESS_SHELL = "chromium-headless-shell";

const NOT_FOR_LONG = ["Acquire::Retries=0", "Acquire::http::Timeout=10"].flatMap((option) => ["-o", option]);

/** Tries to install Firefox and WebKit where that needs no asking. Their stories do without else. */
export function ensureOtherEngines() {
  if (!installOnDebian(ENGINE_PACKAGES))
    console.log("The system's packages did not install; see above. Their engines are left out.");
}

/** Installs packages whose programs are missing, as root on Debian; elsewhere nothing. Whether nothing failed. */
function installOnDebian(packages) {
  const missing = Object.entries(packages).filter(([, program]) => !existsSync(`/usr/bin/${program}`));
  if (missing.length === 0 || process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return true;
  const names = missing.map(([name]) => name);
  console.log(`Installing ${names.join(", ")} …`);
  const apt = (...args) => run("apt-get", ["-qq", ...NOT_FOR_LONG, ...args], { timeout: 180_000 });
  return (apt("update") || apt("install", "-y", "--no-install-recommends", ...names)) === 0;
}

/**
 * Vite plugin: `third-party-licences.md` beside the built page, with the licence of every package that the page, its
 * workers or the sandbox may hold. That is every package that the lock file does not mark as for development only, those of `packages/` aside:
 * workers and the sandbox are bundles of their own, which the bundler's own list of licences does not look into.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./ensure.mjs";

const FILE = "third-party-licences.md";
/** Licence texts, notices that must be handed on, and what packages bundle of others. */
const TEXTS = /^(?:licen[cs]e|copying|notice|thirdpartynotices)/i;

export function thirdPartyLicences() {
  return {
    name: "third-party-licences",
    apply: "build",
    generateBundle() {
      this.emitFile({ type: "asset", fileName: FILE, source: licences() });
    },
  };
}

/** The whole file. Throws where a package has neither a licence text nor the name of a licence. */
export function licences() {
  const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
  const shipped = Object.entries(packages).filter(
    ([path, { dev, link }]) => path.includes("node_modules/") && !dev && !link,
  );
  const sections = shipped
    .filter(([path, { optional }]) => !optional || existsSync(join(ROOT, path)))
    .map(([path, { version, license }]) => section(path, version, license));
  return `# Third-party licences\n\nRefscope's built page holds these packages, or parts of them.\n\n${sections.join("\n")}\n${notices()}`;
}

/** Of what packages hold of others without saying so. */
const notices = () => readFileSync(join(ROOT, "tools", "notices.md"), "utf8").replace(/^#[^]*?(?=^## )/m, "");

function section(path, version, license) {
  const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
  const folder = join(ROOT, path);
  const files = readdirSync(folder).filter((file) => TEXTS.test(file));
  if (files.length === 0 && license === undefined) throw new Error(`${name}: no licence found in ${path}`);
  const texts = files.map((file) => readFileSync(join(folder, file), "utf8").trim());
  return [`## ${name} ${version} (${license ?? "see below"})\n`, ...texts.map(quoted)].join("\n");
}

const quoted = (text) => `${text.replace(/^/gm, "    ")}\n`;

/**
 * For tests: small sets that were rebuilt from threads in which people lost time, each with healthy twins, and what `check`
 * says of them. Most lie beside the project (`../shared/fixtures/wild` and `wild4`; the README of the former says what each field
 * means).
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { CheckFinding, CheckReport } from "#core/report/report.ts";
import { ROOT, runCommand } from "./run-command.ts";

export interface WildSet {
  readonly id: string;
  /** Folder of the list that it is in. */
  readonly list: string;
  /** File to open, in the set's folder and in each twin's. */
  readonly open: string;
  readonly healthy?: string | readonly string[];
  readonly level: "plain" | "network" | "deep";
  /** Regular expressions: the true cause in words; wrong causes and remedies that are tempting. */
  readonly expect: string;
  readonly avoid?: string;
  /** A note is enough: the set itself is right, or only slow. */
  readonly least?: "info";
  readonly reader?: string;
  readonly served?: string;
  readonly port?: number;
}

interface Server {
  readonly url: string;
  close(): Promise<void>;
}

interface Maker {
  readonly serve: (root: string, mode: string, options: { readonly port: number }) => Promise<Server>;
  readonly materialize: (folder: string, entry: WildSet, into: string, url: string) => string;
}

const SHARED = resolve(ROOT, process.env["REFSCOPE_SHARED"] ?? "../shared");

/** Folders of sets, of those that lie beside the project. */
export const WILD: readonly string[] = ["wild", "wild4"]
  .map((name) => join(SHARED, "fixtures", name))
  .filter((folder) => existsSync(join(folder, "wild.json")));

export const wildSets = (list: string): readonly WildSet[] =>
  (JSON.parse(readFileSync(join(list, "wild.json"), "utf8")) as readonly WildSet[]).map((entry) => ({
    ...entry,
    list,
  }));

const maker = () => import(pathToFileURL(join(SHARED, "make/wild/server.mjs")).href) as Promise<Maker>;

/**
 * Rank of the true cause in the report: among the first two, only further down or as a note, after a wrong one, or
 * absent.
 */
export type Outcome = "named" | "late" | "misled" | "not named";

/** Checks a set behind its server, with the options that show its fault. */
export async function checkWildSet(entry: WildSet): Promise<Outcome> {
  return served(entry, entry.served ?? "sound", async (folder, url) => {
    const { level, reader } = entry;
    const options = [
      ...(level === "plain" ? [] : ["--network"]),
      ...(level === "deep" ? ["--deep", "all"] : []),
      ...(reader === undefined ? [] : ["--reader", reader]),
    ];
    return outcomeOf(entry, await checked(entry, folder, options, url));
  });
}

/** Warnings and errors of its twins, with all that can be asked for: there should be none. */
export async function falseAlarms(entry: WildSet): Promise<readonly string[]> {
  const twins = [entry.healthy ?? []].flat();
  const told: string[] = [];
  for (const twin of twins) {
    const { findings } = await served(entry, "sound", (folder, url) => {
      const there = url === undefined ? undefined : `${url}/${twin}`;
      return checked(entry, join(folder, twin), ["--network", "--deep", "all"], there);
    });
    told.push(...alarmsIn(findings));
  }
  return told;
}

export const alarmsIn = (findings: readonly CheckFinding[]): readonly string[] =>
  findings
    .filter(({ severity }) => severity !== "info")
    .map(({ severity, code, message }) => `${severity} ${code}: ${message}`);

/** `use` gets the set's folder and, where what is opened is behind a server, its address. */
async function served<T>(
  entry: WildSet,
  mode: string,
  use: (folder: string, url: string | undefined) => Promise<T>,
): Promise<T> {
  const { serve, materialize } = await maker();
  const into = mkdtempSync(join(tmpdir(), "refscope-wild-"));
  const server = await serve(into, mode, { port: entry.port ?? 0 });
  try {
    const folder = materialize(entry.list, entry, into, server.url);
    const isOpenedThere = entry.served !== undefined && !entry.open.endsWith(".json");
    return await use(folder, isOpenedThere ? `${server.url}/${entry.id}` : undefined);
  } finally {
    await server.close();
    rmSync(into, { recursive: true, force: true });
  }
}

/** `url`: of the folder, where it is opened by its address. */
export async function checked(
  { open }: WildSet,
  folder: string,
  options: readonly string[],
  url?: string,
): Promise<CheckReport> {
  const at = url === undefined ? [join(folder, open), "--root", folder] : [`${url}/${open}`];
  const { stdout, stderr } = await runCommand(["check", ...at, "--json", "--allow-private", ...options]);
  if (!stdout.startsWith("{")) throw new Error(`${stdout}${stderr}`.slice(0, 1000));
  return JSON.parse(stdout) as CheckReport;
}

export function outcomeOf({ expect, avoid, least, reader }: WildSet, { findings, readers }: CheckReport): Outcome {
  const [cause, wrong] = [new RegExp(expect, "i"), avoid === undefined ? undefined : new RegExp(avoid, "i")];
  const loud = findings.filter(({ severity }) => severity !== "info");
  const [first] = loud;
  if (first !== undefined && wrong?.test(findingText(first)) === true) return "misled";
  const told = [...loud.slice(0, 2), ...(least === "info" ? findings : [])];
  if (told.some((one) => cause.test(findingText(one)))) return "named";
  if (findings.some((one) => cause.test(findingText(one)))) return "late";
  return reader !== undefined && cause.test(JSON.stringify(readers ?? "")) ? "named" : "not named";
}

const findingText = ({ cause, message, advice = "" }: CheckFinding): string => [cause, message, advice].join("\n");

/**
 * For tests: recorded histories by the official library, with what is true of them. Two are in `fixtures/histories`; more
 * lie beside the project (`fixtures/icechunk-history`) and where REFSCOPE_HISTORIES says, as NAME/ and NAME.json.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { Files } from "./open.ts";

export interface HistoryTruth {
  /** Ids by `branch:NAME` and `tag:NAME`, newest first. */
  readonly ancestry: Readonly<Record<string, readonly string[]>>;
  readonly anatomy: {
    readonly files: Readonly<Record<string, number>>;
    readonly orphans: Readonly<Record<string, string>>;
    readonly bytes: Readonly<Record<"native" | "virtual" | "inline" | "manifests" | "metadata", number>>;
    readonly expire: {
      readonly before: string;
      readonly snapshots: readonly string[];
      readonly freed: readonly string[];
    };
  };
}

export interface RecordedHistory<Truth = HistoryTruth> {
  readonly truth: Truth;
  readonly files: Files;
}

/** Without the files below `overwritten/`. */
export function historyFixture(name: "river-04" | "river-07"): RecordedHistory {
  const text = readFileSync(join(import.meta.dirname, "../fixtures/histories", `${name}.json`), "utf8");
  const { truth, files } = JSON.parse(text) as { truth: HistoryTruth; files: Readonly<Record<string, string>> };
  return {
    truth,
    files: new Map(Object.entries(files).map(([path, base64]) => [path, Buffer.from(base64, "base64")])),
  };
}

const SHARED = resolve(process.env["REFSCOPE_SHARED"] ?? "../shared", "fixtures/icechunk-history");

/** All that are here, as `[name, read]`. */
export function historiesHere<Truth = HistoryTruth>(): readonly (readonly [
  name: string,
  read: () => RecordedHistory<Truth>,
])[] {
  const folders = [SHARED, process.env["REFSCOPE_HISTORIES"] ?? ""];
  return folders
    .filter((folder) => folder !== "" && existsSync(folder))
    .flatMap((folder) => {
      const names = readdirSync(folder).filter((name) => existsSync(join(folder, `${name}.json`)));
      return names.map((name) => [name, () => recordedIn<Truth>(join(folder, name))] as const);
    });
}

const recordedIn = <Truth>(folder: string): RecordedHistory<Truth> => ({
  truth: JSON.parse(readFileSync(`${folder}.json`, "utf8")) as Truth,
  files: filesOf(folder),
});

export function filesOf(folder: string): Files {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => join(folder, path));
  const files = paths.filter((path) => statSync(path).isFile());
  return new Map(files.map((path) => [relative(folder, path).replaceAll("\\", "/"), readFileSync(path)] as const));
}

/**
 * For tests: real sets by other people's tools, and what the reference readers found in them. The whole corpus where it
 * lies beside the project (`../shared`, or where REFSCOPE_SHARED says), else the small one in the repository.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../../..");

/** Entries of the whole corpus; a test compares the number if the corpus is present. */
export const WHOLE_CORPUS_ENTRIES = 65;

export interface Corpus {
  readonly isWhole: boolean;
  /** A folder per entry. */
  readonly folder: string;
  readonly entries: readonly string[];
  /** Folder with recorded results of readers, `<entry>.json`; not every entry has one. */
  readonly expected: string;
  /** Which corpus it is, for the titles of tests. */
  readonly title: string;
}

export const smallCorpus: Corpus = smallCorpusIn(join(ROOT, "corpus"));
export const corpus: Corpus =
  wholeCorpusIn(resolve(ROOT, process.env["REFSCOPE_SHARED"] ?? "../shared")) ?? smallCorpus;

if (!corpus.isWhole) console.log(`The corpus tests read ${corpus.title}.`);

function smallCorpusIn(folder: string): Corpus {
  const entries = foldersOf(folder).filter((name) => name !== "expected" && name !== "licences");
  const title = `the small corpus in the repository: ${entries.length} of ${WHOLE_CORPUS_ENTRIES} entries`;
  return { isWhole: false, folder, entries, expected: join(folder, "expected"), title };
}

function wholeCorpusIn(shared: string): Corpus | undefined {
  const folder = join(shared, "corpus");
  if (!existsSync(folder)) return undefined;
  const entries = foldersOf(folder);
  const title = `the whole corpus beside the project: ${entries.length} entries`;
  return { isWhole: true, folder, entries, expected: join(shared, "corpus-expected"), title };
}

function foldersOf(folder: string): readonly string[] {
  const folders = readdirSync(folder, { withFileTypes: true }).filter((one) => one.isDirectory());
  return folders.map(({ name }) => name).sort();
}

/** Those of some entries that this corpus has; one of them it must have, or the test would be of nothing. */
export function entriesHere(names: readonly string[]): readonly string[] {
  const here = names.filter((name) => corpus.entries.includes(name));
  if (here.length === 0) throw new Error(`In ${corpus.title} there is none of ${names.join(", ")}.`);
  return here;
}

/** Recorded results of each reader at each path of an entry; empty if nothing was recorded. */
export function recordedIn<Found>(entry: string): Readonly<Record<string, Readonly<Record<string, Found>>>> {
  const path = join(corpus.expected, `${entry}.json`);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Record<string, Record<string, Found>>) : {};
}

/** Paths of all files of the corpus, below its folder, with `/`. */
export function corpusFiles(): readonly string[] {
  return corpus.entries.flatMap((entry) => filesBelow(corpus.folder, entry));
}

/** The same of one entry, or of a folder in it. */
export function filesBelow(folder: string, path: string): readonly string[] {
  return readdirSync(join(folder, path), { withFileTypes: true }).flatMap((one) => {
    const inner = `${path}/${one.name}`;
    return one.isDirectory() ? filesBelow(folder, inner) : [inner];
  });
}

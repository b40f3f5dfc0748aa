/** Opening what the user has: files, a pasted document. */
import type { Progress } from "#core/byte-source.ts";
import { findingOfError, isAbort } from "#core/findings/finding.ts";
import type { OwnerFile } from "#core/check/owner-file.ts";
import type { App } from "#store/app-store.ts";
import { takeOwnerFile } from "#store/take-owner-file.ts";
import { loadCatalogue } from "#widgets/notes/Notices.tsx";
import { listDropped, pickedFiles, type Dropped } from "./local-files.ts";
import type { LocalFile, SetSummary } from "#core/open-set.ts";

/** `expectation`, `acceptance`: a file of the owner of the set that is open. */
export type LocalOutcome = "opened" | "added" | "nothing" | OwnerFile;

/**
 * Opens files. Where a set is open and none of the files is a reference set, they are given to it as targets instead:
 * `added`.
 */
export async function openFiles(app: App, files: readonly LocalFile[]): Promise<LocalOutcome> {
  if (files.length === 0) return "nothing";
  const owned = await ownedBy(app, files);
  if (owned !== undefined) return owned;
  const { set: before, view } = app.store.getState();
  if (before !== undefined && view === "compare") {
    app.actions.compareWith({ source: { kind: "files", files } });
    return "opened";
  }
  if (before !== undefined && (await areNamed(app, before, files))) return addTo(app, files);
  await app.actions.open({ kind: "files", files });
  const { set, openError } = app.store.getState();
  if (openError === undefined || before === undefined || set !== before) return "opened";
  const explain = await loadCatalogue();
  if (!explain(openError.error).noSet) return "opened";
  app.actions.dismissError();
  return addTo(app, files);
}

const addTo = async (app: App, files: readonly LocalFile[]): Promise<LocalOutcome> =>
  (await reported(app, "Adding files", () => app.actions.addFiles(files))) ? "added" : "nothing";

/** A single file may be one of the owner's: it is then taken as that. */
async function ownedBy(app: App, [file, ...others]: readonly LocalFile[]): Promise<LocalOutcome | undefined> {
  if (file === undefined || others.length > 0 || !(file.blob instanceof Blob)) return undefined;
  const { path, blob } = file;
  let kind: OwnerFile | undefined;
  const isRead = await reported(app, `Reading ${path}`, async () => {
    kind = await takeOwnerFile(app, { name: path.split("/").at(-1) ?? path, blob });
  });
  return isRead ? kind : "nothing";
}

/** Lists a drop's folders as a task that can be cancelled, then opens what was found. */
export async function openDropped(app: App, dropped: Dropped): Promise<readonly [LocalOutcome, number]> {
  let files: readonly LocalFile[] = [];
  const listed = await reported(app, "Listing files", async () => {
    files = await app.tasks.run("drop", "Listing dropped files", ({ signal, onProgress }) =>
      listDropped(dropped, { signal, onCount: everyHundred(onProgress) }),
    );
  });
  return listed ? [await openFiles(app, files), files.length] : ["nothing", 0];
}

/** Opens what a file picker gave. */
export async function openPicked(app: App, files: Iterable<File>): Promise<LocalOutcome> {
  let picked: readonly LocalFile[] = [];
  const listed = await reported(app, "Listing files", () => {
    picked = pickedFiles(files);
    return Promise.resolve();
  });
  return listed ? openFiles(app, picked) : "nothing";
}

export async function openText(app: App, text: string): Promise<LocalOutcome> {
  const owned = await ownedBy(app, [{ path: PASTED, blob: new Blob([text]) }]);
  if (owned !== undefined) return owned;
  await app.actions.open({ kind: "text", text, name: PASTED });
  return "opened";
}

const PASTED = "pasted JSON";

function everyHundred(onProgress: (progress: Progress) => void) {
  let said = 0;
  return (done: number) => {
    if (done - said < 100) return;
    said = done;
    onProgress({ label: `Listing dropped files, ${done.toLocaleString("en")}`, done, unit: "rows" });
  };
}

async function reported(app: App, doing: string, work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!isAbort(error)) app.store.setState({ openError: { name: doing, error: findingOfError(error, doing) } });
    return false;
  }
}

/** Files that are looked for among the sources of a set. */
const LOOKED_FOR = 8;

/**
 * Tells if references of the set name files like these: data files are sets of their own, but may be meant for that
 * one.
 */
async function areNamed({ engine }: App, { id: set, isFile }: SetSummary, files: readonly LocalFile[]) {
  if (isFile === true || files.some(({ path }) => /\.json$/i.test(path))) return false;
  const isNamed = async ({ path }: LocalFile): Promise<boolean> => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const spec = { prefix: "", text: name, sort: { column: "target", descending: false } } as const;
    const { rows } = await engine.call("sources.targets", { set, spec, from: 0, to: 100 });
    return rows.some(({ target }) => target === name || target?.endsWith(`/${name}`) === true);
  };
  for (const file of files.slice(0, LOOKED_FOR)) if (!(await isNamed(file).catch(() => false))) return false;
  return true;
}

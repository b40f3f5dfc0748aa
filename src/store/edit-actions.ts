/** Editing a set: the text and the table edits, rendered as one types, kept in this browser until discarded. */
import type { TaskOptions, Tools } from "./tasks.ts";
import type { StoreApi } from "zustand/vanilla";
import { failure, findingOfError, isAbort, WHOLE_SET } from "../core/findings/finding.ts";
import type { SetSummary } from "../core/open-set.ts";
import type { EditAnswer, EditSource, TableEdit } from "../core/studio.ts";
import type { Client } from "../worker/client.ts";
import { applyActions, readApplied } from "./apply-edits.ts";
import { type AppState, type EditState, firstText, isEdited } from "./state.ts";
import { editionOf, type EditKeeper, type KeptEdit } from "./kept-edits.ts";
import type { ReaderComparison } from "./reader-comparison.ts";

/** After the last key pressed, before rendering. */
const TYPING_MS = 120;
const KEEP_MS = 250;
/** A rendering shorter than this is not shown in the status bar. */
const TASK_AFTER_MS = 300;

export interface EditingContext extends Tools {
  readonly keeper: EditKeeper;
  readonly comparison: ReaderComparison;
}

export function editActions(around: EditingContext) {
  const { store, keeper, comparison } = around;
  const keep = keeping(store, keeper);
  const renderer = rendering(around);
  const change = (part: Partial<EditState>, delay: number) => {
    const { edit } = store.getState();
    if (edit === undefined) return;
    store.setState({ edit: { ...edit, ...part, rendering: true } });
    comparison.stop();
    keep.soon();
    renderer.soon(delay);
  };
  const editOf = () => store.getState().edit;
  const beginEdit = () => begin(around, renderer);
  return {
    /** Fetches what there is to edit of the open set, and takes up edits kept from before. */
    beginEdit,
    ...applyActions(around, beginEdit, change),
    /** The document as the editor has it now. */
    setText: (text: string) => {
      if (text !== editOf()?.text) change({ text }, TYPING_MS);
    },
    /** Edits references that are kept in the table. */
    editTable: (tableEdit: TableEdit) => {
      const edit = editOf();
      if (edit !== undefined) change({ edits: [...edit.edits, tableEdit], undone: [] }, 0);
    },
    undoTableEdit: () => {
      const edit = editOf();
      const last = edit?.edits.at(-1);
      if (edit !== undefined && last !== undefined)
        change({ edits: edit.edits.slice(0, -1), undone: [last, ...edit.undone] }, 0);
    },
    redoTableEdit: () => {
      const edit = editOf();
      const [next, ...undone] = edit?.undone ?? [];
      if (edit !== undefined && next !== undefined) change({ edits: [...edit.edits, next], undone }, 0);
    },
    /** Back to the document as opened; the kept edits are gone. */
    discardEdits: async () => {
      const edit = editOf();
      if (edit === undefined) return;
      const text = firstText(edit.source);
      change({ text, generation: edit.generation + 1, edits: [], undone: [], restored: false }, 0);
      await keep.now();
    },
    ...conflictActions(store, keep.now, change),
    selectRow: (key: string | undefined) => {
      const edit = editOf();
      if (edit !== undefined && edit.row !== key) store.setState({ edit: { ...edit, row: key } });
    },
    /** Renders again what failed. */
    renderAgain: () => change({ error: undefined }, 0),
  };
}

/** Choices for edits of which another window has kept its own version. */
function conflictActions(
  store: StoreApi<AppState>,
  keepNow: () => Promise<void>,
  change: (part: Partial<EditState>, delay: number) => void,
) {
  return {
    /** Writes this window's edits over those of the other, after both edited the document. */
    keepMine: async () => {
      const { edit } = store.getState();
      if (edit?.theirs === undefined) return;
      store.setState({ edit: { ...edit, known: { edition: editionOf(edit.theirs) }, theirs: undefined } });
      await keepNow();
    },
    /** Replaces this window's edits with the other's. */
    takeTheirs: () => {
      const { edit } = store.getState();
      if (edit?.theirs === undefined) return;
      const { theirs, generation } = edit;
      const { text, edits } = theirs;
      const known = { edition: editionOf(theirs) };
      change({ text, edits, undone: [], generation: generation + 1, known, theirs: undefined }, 0);
    },
  };
}

async function begin(
  { engine, store, tasks, keeper }: EditingContext,
  renderer: ReturnType<typeof rendering>,
): Promise<void> {
  const { set: base, edit: before } = store.getState();
  if (base === undefined || before !== undefined) return;
  try {
    const source = await tasks.run("edit-source", "Fetching the document to edit", (options) =>
      engine.call("edit.source", { set: base.id }, options),
    );
    const kept = await keeper.get(source.documentId).catch(() => "failed" as const);
    if (store.getState().set !== base || store.getState().edit !== undefined) return;
    store.setState({ edit: firstState(base, source, kept) });
    renderer.soon(0);
  } catch (error) {
    if (isAbort(error)) return;
    store.setState({ openError: { name: base.name, error: findingOfError(error, "Editing the dataset") } });
  }
}

function firstState(base: SetSummary, source: EditSource, found: KeptEdit | "failed" | undefined): EditState {
  const kept = found === "failed" ? undefined : found;
  return {
    base,
    source,
    text: kept?.text ?? firstText(source),
    generation: 0,
    edits: kept?.edits ?? [],
    undone: [],
    restored: kept !== undefined,
    kept: found === "failed" ? "failed" : kept === undefined ? "nothing" : "kept",
    known: { edition: kept === undefined ? undefined : editionOf(kept) },
    answer: undefined,
    answered: undefined,
    sound: false,
    rendering: true,
    error: undefined,
    readers: undefined,
    comparing: false,
    row: undefined,
  };
}

/** Renders the newest text; the older answer stays until the newer one is there. */
function rendering(around: EditingContext) {
  const { engine, store, tasks } = around;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const render = async () => {
    const asked = store.getState().edit;
    if (asked === undefined) return;
    const { base, text, edits } = asked;
    const shown = store.getState().set?.id ?? base.id;
    /** `undefined` if editing went on meanwhile. */
    const unchanged = () => {
      const { edit } = store.getState();
      return edit?.base === base && edit.text === text && edit.edits === edits ? edit : undefined;
    };
    try {
      const request = { set: base.id, text, edits, most: store.getState().maxGenerated, shown };
      const ask = (options: TaskOptions) => engine.call("edit.render", request, options);
      const answer = await tasks.run("edit", "Rendering the document", ask, TASK_AFTER_MS);
      const edit = unchanged();
      if (edit === undefined) closeSet(engine, answer.set);
      else {
        take(around, edit, answer);
        void readApplied(around);
      }
    } catch (error) {
      const edit = unchanged();
      if (edit === undefined) return;
      const fields = isAbort(error) ? CANCELLED : findingOfError(error, "Rendering the document");
      store.setState({ edit: { ...edit, rendering: false, error: fields } });
    }
  };
  return {
    soon(delay: number) {
      clearTimeout(timer);
      timer = setTimeout(() => void render(), delay);
    },
  };
}

const CANCELLED = failure("render-cancelled", WHOLE_SET, {}).finding;

function closeSet(engine: Client, set: SetSummary | undefined): void {
  if (set !== undefined) void engine.call("set.close", { set: set.id }).catch(() => undefined);
}

/** Shows the newly rendered set in place of the one before. What is selected stays where it still exists. */
function take({ engine, store, comparison }: EditingContext, edit: EditState, answer: EditAnswer): void {
  const done = { ...edit, answered: edit.text, rendering: false, error: undefined };
  if (answer.set === undefined || (answer.refused !== undefined && edit.sound)) {
    closeSet(engine, answer.set);
    store.setState({ edit: { ...done, answer: { ...answer, set: undefined } } });
    return;
  }
  const next = { ...done, answer, sound: answer.refused === undefined };
  const { set: before, node, chunk, revision } = store.getState();
  const there = answer.set.nodes.find(({ path }) => path === node);
  store.setState({
    edit: { ...next, readers: undefined },
    set: answer.set,
    revision: revision + 1,
    node: there?.path ?? "",
    chunk: there?.grid !== undefined && there.grid.length === chunk?.length ? chunk : undefined,
  });
  if (before?.id !== edit.base.id) closeSet(engine, before);
  comparison.start(answer.set.id);
}

/** Writes edits to the browser's storage shortly after each change, and when the page is left. */
function keeping(store: StoreApi<AppState>, keeper: EditKeeper) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waiting = false;
  // This visit's: two windows have two.
  const writer = `${Date.now()} ${Math.random()}`;
  const say = (documentId: string, part: Pick<EditState, "kept"> & Partial<Pick<EditState, "known" | "theirs">>) => {
    const { edit } = store.getState();
    if (edit?.source.documentId === documentId) store.setState({ edit: { ...edit, ...part } });
  };
  const write = async (edit: EditState | undefined) => {
    clearTimeout(timer);
    waiting = false;
    if (edit === undefined) return;
    const { documentId } = edit.source;
    try {
      say(documentId, await writeKept(keeper, edit, writer));
    } catch {
      say(documentId, { kept: "failed" });
    }
  };
  const now = () => write(store.getState().edit);
  // Writes pending edits when another set is opened or the page is left.
  store.subscribe((state, before) => {
    if (waiting && before.edit !== undefined && state.edit?.source !== before.edit.source) void write(before.edit);
  });
  globalThis.addEventListener?.("pagehide", () => {
    if (waiting) void now();
  });
  globalThis.addEventListener?.("beforeunload", (event) => {
    if (store.getState().edit?.kept === "conflict") event.preventDefault();
  });
  return {
    now,
    soon() {
      const { edit } = store.getState();
      if (edit?.theirs !== undefined) return; // Until it is decided whose edits are kept.
      if (edit !== undefined) say(edit.source.documentId, { kept: "writing" });
      clearTimeout(timer);
      waiting = true;
      timer = setTimeout(() => void now(), KEEP_MS);
    },
  };
}

/** Neither of two windows writes over what the other has kept unseen. */
async function writeKept(
  keeper: EditKeeper,
  edit: EditState,
  writer: string,
): Promise<Pick<EditState, "kept" | "known" | "theirs">> {
  const mine = keptEdit(edit, writer);
  const known = { ...edit.known, writer };
  if (!isEdited(edit)) {
    await keeper.remove(mine.documentId, known);
    return { kept: "nothing", known: { edition: undefined }, theirs: undefined };
  }
  const theirs = await keeper.put(mine, known);
  if (theirs !== undefined) return { kept: "conflict", known: edit.known, theirs };
  return { kept: "kept", known: { edition: editionOf(mine) }, theirs: undefined };
}

function keptEdit({ base, source, text, edits }: EditState, writer: string): KeptEdit {
  return {
    documentId: source.documentId,
    name: base.name,
    url: base.url,
    choice: base.choice,
    text,
    edits,
    original: source.kind === "whole" && base.url === undefined ? source.text : undefined,
    when: Date.now(),
    writer,
  };
}

/** Edits kept in this browser (IndexedDB) until they are discarded, by the document they are of. */
import type { TableEdit } from "../core/studio.ts";

export interface KeptEdit {
  readonly documentId: string;
  readonly name: string;
  /** Address from which the set was opened; absent for files and pasted text. */
  readonly url: string | undefined;
  readonly choice: string | undefined;
  readonly text: string;
  readonly edits: readonly TableEdit[];
  /** The document as opened, where it is whole and no URL leads back to it. */
  readonly original: string | undefined;
  /** Milliseconds since 1970. */
  readonly when: number;
  /** The visit that wrote it; absent in those of earlier versions. */
  readonly writer?: string;
}

/** Identifies one state of what is kept of a document. */
export const editionOf = ({ when, writer = "" }: KeptEdit): string => `${when} ${writer}`;

export type EditKeeper = ReturnType<typeof browserKeeper>;

export interface Known {
  /** `undefined` where nothing was kept. */
  readonly edition: string | undefined;
  /** This visit: what it wrote itself, perhaps later than it was told, is never in its own way. */
  readonly writer?: string;
}

/** Kept edit that must not be overwritten, if any. */
export function inTheWay(current: KeptEdit | undefined, known: Known | undefined): KeptEdit | undefined {
  if (current === undefined || known === undefined) return undefined;
  const isOwn = known.writer !== undefined && current.writer === known.writer;
  return isOwn || editionOf(current) === known.edition ? undefined : current;
}

const NAME = "refscope.edits";
const STORE = "edits";
/** Milliseconds: browsers have been seen never to answer (a profile on a full disk, another tab that holds it). */
const MAX_WAIT = 2000;

/** Rejects where the browser keeps nothing (private windows of some, no room), or does not answer in time. */
export function browserKeeper() {
  const inStore = inTime();
  const replace = async (
    documentId: string,
    known: Known | undefined,
    write: (store: IDBObjectStore) => void,
  ): Promise<KeptEdit | undefined> => {
    let found: KeptEdit | undefined;
    await inStore("readwrite", (store) => {
      const current = store.get(documentId);
      current.addEventListener("success", () => {
        found = inTheWay(understood(current.result), known);
        if (found === undefined) write(store);
      });
      return current;
    });
    return found;
  };
  return {
    get: async (documentId: string): Promise<KeptEdit | undefined> =>
      understood(await inStore("readonly", (store) => store.get(documentId))),
    /**
     * `known`: the edition that this window saw or wrote last. Where another window has kept a newer one, nothing is
     * written and that is the answer; absent, it is written over.
     */
    put: (edit: KeptEdit, known?: Known): Promise<KeptEdit | undefined> =>
      replace(edit.documentId, known, (store) => void store.put(edit)),
    /** Removes like `put`. */
    remove: (documentId: string, known?: Known): Promise<KeptEdit | undefined> =>
      replace(documentId, known, (store) => void store.delete(documentId)),
    /** The latest first. */
    list: async (): Promise<readonly KeptEdit[]> => {
      const all: readonly unknown[] = await inStore("readonly", (store) => store.getAll());
      return all
        .map((one) => understood(one))
        .filter((one) => one !== undefined)
        .sort((a, b) => b.when - a.when);
    },
  };
}

type InStore = <T>(mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest<T>) => Promise<T>;

/** Waits once: while the browser owes an answer, whatever else is asked is refused without waiting. */
function inTime(): InStore {
  let owing = 0;
  return async (mode, ask) => {
    if (owing > 0) throw noAnswer();
    const asking = inStore(mode, ask);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        owing += 1;
        const answered = () => {
          owing -= 1;
        };
        asking.then(answered, answered);
        reject(noAnswer());
      }, MAX_WAIT);
    });
    try {
      return await Promise.race([asking, late]);
    } finally {
      clearTimeout(timer);
    }
  };
}

const noAnswer = () => new Error(`the browser's storage did not answer within ${MAX_WAIT / 1000} seconds`);

async function inStore<T>(mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await openDatabase();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, mode);
      const request = ask(transaction.objectStore(STORE));
      transaction.addEventListener("complete", () => resolve(request.result));
      transaction.addEventListener("error", () =>
        reject(transaction.error ?? new Error("the browser's storage failed")),
      );
      transaction.addEventListener("abort", () =>
        reject(transaction.error ?? new Error("the browser's storage stopped")),
      );
    });
  } finally {
    database.close();
  }
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.addEventListener("upgradeneeded", () => request.result.createObjectStore(STORE, { keyPath: "documentId" }));
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () =>
      reject(request.error ?? new Error("the browser's storage cannot be opened")),
    );
  });
}

/** Storage is as untrusted as any input. */
function understood(value: unknown): KeptEdit | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const edit = value as Partial<KeptEdit>;
  const whole = typeof edit.documentId === "string" && typeof edit.text === "string" && Array.isArray(edit.edits);
  return whole && typeof edit.name === "string" && typeof edit.when === "number" ? (edit as KeptEdit) : undefined;
}

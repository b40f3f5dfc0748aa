/** Edits kept in this browser (IndexedDB) until they are discarded, by the document they are of. */
import type { TableEdit } from "../core/studio.ts";

export interface KeptEdit {
  readonly documentId: string;
  readonly name: string;
  /** Where the set was opened from; absent for files and pasted text. */
  readonly url: string | undefined;
  readonly choice: string | undefined;
  readonly text: string;
  readonly edits: readonly TableEdit[];
  /** The document as opened, where it is whole and no URL leads back to it. */
  readonly original: string | undefined;
  /** Milliseconds since 1970. */
  readonly when: number;
}

export interface EditKeeper {
  get(documentId: string): Promise<KeptEdit | undefined>;
  put(edit: KeptEdit): Promise<void>;
  remove(documentId: string): Promise<void>;
  /** The latest first. */
  list(): Promise<readonly KeptEdit[]>;
}

const NAME = "refscope.edits";
const STORE = "edits";

/** Rejects where the browser keeps nothing (private windows of some, no room). */
export function browserKeeper(): EditKeeper {
  return {
    get: async (documentId) => understood(await inStore("readonly", (store) => store.get(documentId))),
    put: async (edit) => {
      await inStore("readwrite", (store) => store.put(edit));
    },
    remove: async (documentId) => {
      await inStore("readwrite", (store) => store.delete(documentId));
    },
    list: async () => {
      const all: readonly unknown[] = await inStore("readonly", (store) => store.getAll());
      return all
        .map((one) => understood(one))
        .filter((one) => one !== undefined)
        .sort((a, b) => b.when - a.when);
    },
  };
}

async function inStore<T>(mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await openDatabase();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, mode);
      const request = ask(transaction.objectStore(STORE));
      transaction.addEventListener("complete", () => {
        resolve(request.result);
      });
      transaction.addEventListener("error", () => {
        reject(transaction.error ?? new Error("the browser's storage failed"));
      });
      transaction.addEventListener("abort", () => {
        reject(transaction.error ?? new Error("the browser's storage stopped"));
      });
    });
  } finally {
    database.close();
  }
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.addEventListener("upgradeneeded", () => {
      request.result.createObjectStore(STORE, { keyPath: "documentId" });
    });
    request.addEventListener("success", () => {
      resolve(request.result);
    });
    request.addEventListener("error", () => {
      reject(request.error ?? new Error("the browser's storage cannot be opened"));
    });
  });
}

/** Storage is as untrusted as any input. */
function understood(value: unknown): KeptEdit | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const edit = value as Partial<KeptEdit>;
  const whole = typeof edit.documentId === "string" && typeof edit.text === "string" && Array.isArray(edit.edits);
  return whole && typeof edit.name === "string" && typeof edit.when === "number" ? (edit as KeptEdit) : undefined;
}

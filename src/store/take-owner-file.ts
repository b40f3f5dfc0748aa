/**
 * A file that says what is expected of the open set, or what is accepted: taken as that, wherever it is dropped or
 * pasted.
 */
import type { OwnerFile } from "../core/check/owner-file.ts";
import type { App } from "./app-store.ts";

/** Bytes: what is larger is a reference set. */
const MAX_BYTES = 4_000_000;

/** The file says so at its beginning. */
const KIND = /^\ufeff?\s*\{\s*"refscope"\s*:\s*"(expectation|acceptance)"/;

/** Kind that the file states; `undefined` if it is not an owner's file. */
export async function ownerFileIn(blob: Blob): Promise<OwnerFile | undefined> {
  if (blob.size > MAX_BYTES) return undefined;
  const [, kind] = KIND.exec(await blob.slice(0, 1000).text()) ?? [];
  return kind === "expectation" || kind === "acceptance" ? kind : undefined;
}

/**
 * Shows Check, where it counts from now on. `undefined` where no set is open, or the file is no such file. Throws
 * `expectation-invalid` for accepted findings that cannot be read; an expectation is shown with what is wrong with it.
 */
export async function takeOwnerFile(
  { store, actions }: Pick<App, "store" | "actions">,
  file: { readonly name: string; readonly blob: Blob },
): Promise<OwnerFile | undefined> {
  const { blob, name } = file;
  if (store.getState().set === undefined) return undefined;
  const kind = await ownerFileIn(blob);
  if (kind === undefined) return undefined;
  const text = await blob.text();
  if (kind === "expectation") actions.expect({ name, text });
  else {
    const { parseAcceptances } = await import("../core/check/acceptance.ts");
    actions.acceptAll(parseAcceptances(text));
  }
  actions.showView("check");
  return kind;
}

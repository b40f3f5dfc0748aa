/** Errors where an address or a drop holds nothing that opens. */
import type { RefscopeError } from "../../core/errors.ts";
import { factsOfFailure, failure } from "../../core/findings/failure.ts";
import { targetAt, WHOLE_SET } from "../../core/findings/place.ts";
import type { LocalFiles } from "../../io/local-files.ts";

export const noStore = (where: string): RefscopeError =>
  failure("no-reference-set", targetAt(where), { among: "folder" });

export const nothingFound = ({ list }: LocalFiles): RefscopeError =>
  failure("no-reference-set", WHOLE_SET, { among: "files", files: list.length });

/** An address that holds no metadata of a store, and is not a document either: the 404 alone would hide the first. */
export function throwNeither(error: unknown, address: string): never {
  const facts = factsOfFailure(error, "http-status");
  if (facts === undefined) throw error;
  throw failure("http-status", targetAt(address), { ...facts, sought: "document or store" }, { cause: error });
}

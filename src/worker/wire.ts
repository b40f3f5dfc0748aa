/** Errors across the boundary: as plain fields there, rebuilt here. */
import { findingOfError, isAbort, RefscopeError } from "../core/findings/finding.ts";
import type { WireError } from "./protocol.ts";

export function toWire(error: unknown, doing: string): WireError {
  return { abort: isAbort(error), fields: findingOfError(error, doing) };
}

export function fromWire(error: WireError): Error {
  if (error.abort) return new DOMException("The call was cancelled.", "AbortError");
  return new RefscopeError(error.fields);
}

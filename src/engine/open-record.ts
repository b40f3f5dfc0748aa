import { RefscopeError } from "../core/errors.ts";
import type { EngineSet } from "./engine-set.ts";
import type { Opening } from "./open-any.ts";
import type { DocumentSource } from "./sources.ts";
export function openRecord(_source: DocumentSource, _opening: Opening): Promise<EngineSet> {
  throw new RefscopeError({ code: "not-built", doing: "Opening a record" });
}

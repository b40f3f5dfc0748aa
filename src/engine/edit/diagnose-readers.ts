/** What the author of a document should know of fsspec's default mode, at the places that it drops or refuses. */
import { simpleRenderer } from "../render/simple.ts";
import type { DiagnosticLog } from "./diagnostic-log.ts";
import type { UndefinedNames } from "./undefined-names.ts";
import { memberOf, nodeText, templateStrings, type EditedText } from "./edited-text.ts";
import type { RenderedUrl } from "../../core/version1.ts";

/** URLs marked of those that the default mode refuses. */
const MAX_REFUSED = 20;

export function noteReaders(log: DiagnosticLog, document: EditedText, names: UndefinedNames): void {
  if (document.version === 0) return;
  const { gen, root } = document;
  const member = memberOf(root, "gen");
  if (member !== undefined && (gen?.items.length ?? 0) > 0) {
    log.add("reader-drops-gen", { start: member.keyStart, end: member.keyEnd }, {});
  }
  noteRefused(log, document, names);
}

function noteRefused(log: DiagnosticLog, document: EditedText, names: UndefinedNames): void {
  const templates = nodeText(document, document.templates);
  const simple = simpleRenderer({ templates, gen: undefined });
  if (!simple.hasTemplates) return;
  let marked = 0;
  const seen = new Map<string, string | undefined>();
  for (const { role, value, start, contentEnd } of templateStrings(document)) {
    if (role.kind !== "refs" || marked >= MAX_REFUSED) continue;
    const reason = seen.has(value) ? seen.get(value) : errorOf(simple.url(value));
    seen.set(value, reason);
    if (reason === undefined) continue;
    const name = names.within({ start, end: contentEnd + 1 });
    if (name !== undefined) {
      name.refusesByDefault = true; // It is the name's finding that says so.
      continue;
    }
    marked += 1;
    log.add("reader-refuses", { start, end: contentEnd + 1 }, { key: role.key, error: reason });
  }
}

const errorOf = (rendered: RenderedUrl): string | undefined => (rendered.kind === "fault" ? rendered.error : undefined);

/**
 * Renders the URLs that stand in `refs`, each distinct one once. The rendered text joins the scanner's targets; which
 * belongs to which is kept by id, so that both can be shown.
 */
import type { CallContext } from "../../core/byte-source.ts";
import { LENGTH_BIG, LENGTH_WHOLE, TARGET_BAD } from "../../core/table/reference-table.ts";
import type { Version1Renderer } from "../../core/table/version1.ts";
import { eachBlock } from "./columns.ts";
import { GeneratedText, type Slash } from "./generated-text.ts";
import { decodeString } from "./json-bytes.ts";
import { startPace } from "./pace.ts";
import { MAX_BAD, type ReferenceSet } from "./reference-set.ts";
import { ESCAPED_SLASH, mayBeTemplate, PLAIN_SLASH, spellingOf } from "./target-spelling.ts";
import type { Finding } from "../../core/findings/finding.ts";

export interface RenderedTargets {
  /** By id of a URL as written the id of the text that it was rendered to, where that differs. */
  readonly texts: ReadonlyMap<number, number>;
  /** Ids below this are of URLs in `refs`, and from there to `after` of rendered texts that no URL in `refs` has. */
  readonly before: number;
  readonly after: number;
  /** How the document writes a slash inside a URL. */
  readonly slash: Slash;
}

/** URLs looked at before the scanner's memory may move. */
const BATCH = 2048;

export async function renderTargets(
  set: ReferenceSet,
  renderer: Version1Renderer,
  context: CallContext,
): Promise<RenderedTargets> {
  const { scanner } = set;
  const { count, templated, slash } = templatedTargets(set, renderer.hasTemplates);
  const text = new GeneratedText(slash);
  const texts = new Map<number, number>();
  const faults = new Map<number, Finding>();
  const reportAndYield = startPace(context);
  let done = 0;
  for (let from = 0; from < templated.length; from += BATCH) {
    const { targets } = scanner.output();
    const batch = templated.slice(from, from + BATCH).map((id) => [id, decodeString(targets.raw(id)).text] as const);
    for (const [id, written] of batch) {
      const rendered = renderer.url(written);
      if (rendered.kind === "fault") faults.set(id, rendered.reason);
      else if (rendered.url !== written) texts.set(id, scanner.addTarget(text.url(rendered.url)));
      await reportAndYield({ label: "Rendering URLs", done: (done += 1), total: templated.length, unit: "rows" });
    }
  }
  if (faults.size > 0) markFaults(set, faults);
  return { texts, before: count, after: scanner.output().targets.count, slash };
}

function templatedTargets({ scanner }: ReferenceSet, hasTemplates: boolean) {
  const templated: number[] = [];
  let spelling = 0;
  const { targets } = scanner.output();
  targets.forEach((bytes, from, to, id) => {
    const flags = spellingOf(bytes, from, to);
    spelling |= flags;
    if (hasTemplates && mayBeTemplate(flags)) templated.push(id);
  });
  const slash = (spelling & (ESCAPED_SLASH | PLAIN_SLASH)) === ESCAPED_SLASH ? "\\/" : "/";
  return { count: targets.count, templated, slash } as const;
}

/** Rows whose URL cannot be rendered become bad ones. */
function markFaults({ scanner, bad, bigLengths }: ReferenceSet, faults: ReadonlyMap<number, Finding>): void {
  const { blocks, rows, targets } = scanner.output();
  const urls = new Map([...faults.keys()].map((id) => [id, JSON.stringify(decodeString(targets.raw(id)).text)]));
  eachBlock(blocks, rows, ({ target, offset, length }, firstRow, used) => {
    for (let i = 0; i < used; i += 1) {
      const fault = faults.get(target[i] ?? 0);
      if (fault === undefined) continue;
      const row = firstRow + i;
      const bytes = length[i] ?? 0;
      const size = bytes === LENGTH_BIG ? (bigLengths.get(row) ?? bytes) : bytes;
      const numbers = bytes === LENGTH_WHOLE ? "" : `,${offset[i]},${size}`;
      const written = `[${urls.get(target[i] ?? 0) ?? ""}${numbers}]`;
      // Beyond a million, only the fact that they are bad is kept.
      if (bad.size < MAX_BAD) bad.set(row, { reason: fault, written });
      bigLengths.delete(row);
      [target[i], offset[i], length[i]] = [TARGET_BAD, 0, 0];
    }
  });
}

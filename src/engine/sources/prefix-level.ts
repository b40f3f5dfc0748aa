/** One level of the tree of prefixes: what stands between two slashes of the URLs, scheme and host in one. */
import type { CallContext } from "../../core/byte-source.ts";
import type { SourcePrefix, SourcePrefixes } from "../../core/sources.ts";
import { startPace, type Pace } from "../pace.ts";
import { sourceText, type SourceIndex } from "./source-index.ts";
import { prefixRange } from "./target-list.ts";
import { endOfPrefix } from "./text-order.ts";

const MAX_PREFIXES = 500;
const LOOK = 0xff;

/** Below `prefix`, which ends with a slash, or is `""` for the first level. */
export async function prefixLevel(sources: SourceIndex, prefix: string, context: CallContext): Promise<SourcePrefixes> {
  const text = (place: number) => sourceText(sources, place);
  const [first, end] = prefixRange(sources, prefix);
  const pace = startPace(context, "Listing prefixes", sources.count);
  const prefixes: SourcePrefix[] = [];
  let more = 0;
  for (let from = first, steps = 0; from < end; steps += 1) {
    const child = childOf(text(from), prefix);
    if (child === undefined) {
      from += 1;
    } else {
      const to = endOfPrefix(text, child, from, end);
      if (prefixes.length < MAX_PREFIXES) prefixes.push(await describe(sources, prefix, child, [from, to], pace));
      else more += 1;
      from = to;
    }
    if ((steps & LOOK) === LOOK) await pace.yieldIfDue(from);
  }
  return { prefixes, more };
}

/** The prefix one level further down, `undefined` where the URL ends at this one. */
export function childOf(url: string, prefix: string): string | undefined {
  // Slashes in data part nothing.
  if (url.startsWith("data:")) return undefined;
  const authority = prefix === "" ? (/^[a-z][a-z\d+.-]*:\/\//i.exec(url)?.[0].length ?? 0) : prefix.length;
  // What follows a question mark is no folder.
  const query = url.indexOf("?", authority);
  const slash = url.indexOf("/", authority);
  return slash < 0 || (query >= 0 && query < slash) ? undefined : url.slice(0, slash + 1);
}

/** Places `from` to before `to` begin with `child`. */
async function describe(
  sources: SourceIndex,
  above: string,
  child: string,
  [from, to]: readonly [from: number, to: number],
  pace: Pace,
): Promise<SourcePrefix> {
  const prefix = commonFolder(sourceText(sources, from), sourceText(sources, to - 1), child);
  const { starts, bytesBefore } = sources;
  return {
    prefix,
    label: prefix.slice(above.length),
    targets: to - from,
    references: (starts[to] as number) - (starts[from] as number),
    bytes: (bytesBefore[to] as number) - (bytesBefore[from] as number),
    isParent: await hasFolder(sources, prefix, [from, to], pace),
  };
}

/** As far as the first and the last of some sorted URLs are alike, all of them are; to a slash, at least as far as `least`. */
function commonFolder(first: string, last: string, least: string): string {
  let folder = least;
  for (;;) {
    const next = childOf(first, folder);
    if (next === undefined || !last.startsWith(next)) return folder;
    folder = next;
  }
}

/** Whether some URL goes on below a prefix. Folders may stand behind many names. */
async function hasFolder(
  sources: SourceIndex,
  prefix: string,
  [from, to]: readonly [from: number, to: number],
  pace: Pace,
): Promise<boolean> {
  for (let place = from; place < to; place += 1) {
    if (childOf(sourceText(sources, place), prefix) !== undefined) return true;
    if ((place & LOOK) === LOOK) await pace.yieldIfDue(place);
  }
  return false;
}

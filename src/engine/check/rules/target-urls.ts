/** Targets' URLs: slips, secrets, paths that lead nowhere from elsewhere, and those that differ from all others. */
import type { CallContext } from "#core/byte-source.ts";
import { type ArrayExtent, type Finding, finding, type Place, targetAt } from "#core/findings/finding.ts";
import { startPace } from "#engine/pace.ts";
import type { SetRule, SetView } from "#engine/rules/rule.ts";
import { compareFolders, type Folder, type FolderProblems } from "../urls/compare-folders.ts";
import { isOddName, urlProblem, urlProblems, type UrlProblem } from "../urls/judge-url.ts";
import { markedChunks, type MarkedChunks, ofMark, TargetMarks } from "../urls/target-places.ts";
import { isPlaceholderName } from "#core/urls/placeholders.ts";
import { folderOf } from "#core/urls/url-parts.ts";

/** Distinct targets of which the text is made; of more, one in so many. */
const MAX_LOOKED_AT = 500_000;
/** Folders that are compared with each other. */
const MAX_FOLDERS = 50_000;
const MAX_KINDS = 200;

export const targetUrls: SetRule = {
  id: "target-urls",
  codes: [
    "url-placeholder",
    "url-relative",
    "url-local-path",
    "url-double-encoded",
    "url-two-spellings",
    "url-scheme-typo",
    "url-in-archive",
    "url-credentials",
    "url-fragment",
    "url-query-unsent",
    "url-blank",
    "url-bucket-invalid",
    "url-region-typo",
    "url-host-outlier",
    "url-mixed-scheme",
    "url-mixed-http",
    "url-signature-expired",
    "url-signature-ends",
  ],
  async run(view, sink, context) {
    const of = usedTargets(view);
    const step = Math.max(1, Math.ceil(of / MAX_LOOKED_AT));
    const found = await lookAtUrls(view, step, context);
    if (found.kinds.size > 0) for (const one of await findingsOf(view, found, of, context)) sink(one);
    const looked = Math.ceil(of / step);
    return { unit: "targets", of, lookedAt: step === 1 ? of : 0, sampled: step === 1 ? 0 : looked };
  },
};

const usedTargets = ({ counts }: SetView): number =>
  counts.targetReferences.reduce((sum: number, references) => sum + Number(references > 0), 0);

interface Kind {
  readonly mark: number;
  readonly problem: UrlProblem;
  /** Id of the first. */
  readonly first: number;
  targets: number;
}

interface Found {
  readonly kinds: ReadonlyMap<string, Kind>;
  readonly marks: TargetMarks;
}

async function lookAtUrls(view: SetView, step: number, context: CallContext): Promise<Found> {
  const { targets } = view.index.table;
  const marks = new TargetMarks(targets.count);
  const kinds = new Map<string, Kind>();
  const now = Date.now();
  const folders = new Map<string, SeenFolder>();
  const kindFor = (problem: UrlProblem, id: number): Kind | undefined => {
    const key = kindOf(problem);
    const kind = kinds.get(key) ?? { mark: kinds.size, problem, first: id, targets: 0 };
    if (kind.targets === 0 && kinds.size >= MAX_KINDS) return undefined;
    kinds.set(key, kind);
    return kind;
  };
  const markAll = (id: number, all: readonly (Kind | undefined)[]): void => {
    for (const kind of all) {
      if (kind === undefined) continue;
      kind.targets += 1;
      marks.mark(id, kind.mark);
    }
  };
  const problemsOf = (url: string) =>
    urlProblems(url, now).flatMap((one) => (one.code === "url-placeholder" ? openPlaceholder(view, url, one) : one));
  await eachUrl(view, step, context, (url, id) => {
    const written = folderOf(url);
    const folder = folders.get(written) ?? newFolder(written, now);
    folder.targets += 1;
    if (folder.targets === 1 && folders.size < MAX_FOLDERS) folders.set(written, folder);
    const name = url.slice(written.length);
    if (isOddName(name) || isPlaceholderName(name)) {
      const isUnsent = view.set.format.kind === "icechunk" && /^[^#]*\?/.test(url);
      const problems = [...problemsOf(url), ...(isUnsent ? [urlProblem("url-query-unsent", {})] : [])];
      markAll(
        id,
        problems.map((problem) => kindFor(problem, id)),
      );
    } else if (folder.isBroken) {
      // A plain name has only its folder's problems.
      folder.kinds ??= problemsOf(url).map((problem) => kindFor(problem, id));
      markAll(id, folder.kinds);
    }
  });
  const compared: FolderProblems = compareFolders([...folders.values()]);
  if (compared.size > 0) {
    const kept = new Map<string, readonly (Kind | undefined)[]>();
    await eachUrl(view, step, context, (url, id) => {
      const folder = folderOf(url);
      const problems = compared.get(folder);
      if (problems === undefined) return;
      const own = kept.get(folder) ?? problems.map((problem) => kindFor(problem, id));
      kept.set(folder, own);
      markAll(id, own);
    });
  }
  return { kinds, marks };
}

/** None where a rule or a file that was given fills it in; else with the name that a file of OPeNDAP's would have. */
function openPlaceholder(
  { set: { targets }, index: { table } }: SetView,
  url: string,
  { code, facts }: UrlProblem,
): readonly UrlProblem[] {
  const { rewrites } = targets.locations;
  if (rewrites.some(({ from }) => from !== "" && url.startsWith(from))) return [];
  if (targets.resolve(url).kind === "file") return [];
  if (facts["problem"] !== "dmrpp-missing") return [{ code, facts }];
  const given = targets.files?.list.find((path) => /_(?:missing|mvs)\.\w+$/.test(path));
  const data = table.targets.text(0);
  const made = data === url ? undefined : data.replace(/^.*\/|[?#].*$/gs, "").replace(/(\.\w+)?$/, "_missing$1");
  const beside = given ?? made;
  return [{ code, facts: { ...facts, beside } }];
}

interface SeenFolder extends Folder {
  targets: number;
  /** Kinds of its own problems, once computed. */
  kinds?: readonly (Kind | undefined)[];
}

const newFolder = (written: string, now: number): SeenFolder => ({
  written,
  targets: 0,
  isBroken: urlProblems(`${written}x`, now).length > 0,
});

async function eachUrl(
  { set, index, counts: { targetReferences } }: SetView,
  step: number,
  context: CallContext,
  visit: (url: string, id: number) => void,
): Promise<void> {
  const { targets } = index.table;
  const undefinedNames = brokenTemplates(set);
  const pace = startPace(context, "Looking at addresses", targets.count);
  let at = 0;
  for (const [id, references] of targetReferences.entries()) {
    if (references === 0) continue;
    at += 1;
    if (step > 1 && at % step !== 1) continue;
    if (undefinedNames.size === 0 || !undefinedNames.has(targets.written(id))) visit(targets.text(id), id);
    if ((at & 0xff) === 0) await pace.yieldIfDue(id);
  }
}

/** URLs in which a name is undefined lead nowhere, whatever they look like: the name's finding says so. */
const brokenTemplates = ({ findings }: SetView["set"]): ReadonlySet<string> =>
  new Set(
    findings.flatMap(({ code, place, places = [place] }) =>
      code === "name-undefined" ? places.flatMap((one) => (one.kind === "target" ? [one.target] : [])) : [],
    ),
  );

/** Facts that tell one kind of problem from another; the others are those of the first. */
const APART = ["scheme", "problem", "name", "syntax", "region", "host"];

function kindOf({ code, facts }: UrlProblem): string {
  return JSON.stringify([code, ...APART.map((name) => facts[name])]);
}

async function findingsOf(view: SetView, found: Found, of: number, context: CallContext): Promise<readonly Finding[]> {
  const { targets } = view.index.table;
  const { firstTargets } = view.index;
  const { marks, kinds } = found;
  // Equal URLs may have several ids, of which only the first was looked at.
  if (targets.mayRepeat === true)
    for (let id = 0; id < targets.count; id += 1) marks.classOf[id] = marks.classOf[firstTargets.of(id)] ?? 0;
  const chunks = await markedChunks(view, marks, context);
  return [...kinds.values()].map((kind) => findingOf(view, kind, ofMark(marks, chunks, kind.mark), of));
}

const MAX_ARRAYS = 20;

function findingOf(
  view: SetView,
  { problem, first: example, targets: affected }: Kind,
  { references, first, arrays: boxes }: MarkedChunks,
  of: number,
): Finding {
  const { targets } = view.index.table;
  const places: readonly Place[] = first
    .slice(0, 100)
    .map(({ target, chunk }) => ({ kind: "target", target: targets.text(target), chunk }));
  const arrays = merged(boxes);
  const place = places[0] ?? targetAt(targets.text(example));
  const facts = { ...problem.facts, targets: affected, of } as never;
  return {
    ...finding(problem.code, place, facts, Math.max(1, references)),
    ...(places.length > 1 ? { places } : {}),
    ...(arrays.length === 0 ? {} : { extent: reach(arrays) }),
  };
}

const reach = (arrays: readonly ArrayExtent[]) => ({
  arrays: arrays.slice(0, MAX_ARRAYS),
  moreArrays: Math.max(0, arrays.length - MAX_ARRAYS),
});

function merged(boxes: readonly ArrayExtent[]): readonly ArrayExtent[] {
  const all = new Map<string, ArrayExtent>();
  for (const box of boxes) {
    const known = all.get(box.array);
    if (known === undefined) all.set(box.array, box);
    else
      all.set(box.array, {
        array: box.array,
        chunks: known.chunks + box.chunks,
        from: known.from.map((at, axis) => Math.min(at, box.from[axis] ?? at)),
        to: known.to.map((at, axis) => Math.max(at, box.to[axis] ?? at)),
      });
  }
  return [...all.values()].toSorted((a, b) => b.chunks - a.chunks);
}

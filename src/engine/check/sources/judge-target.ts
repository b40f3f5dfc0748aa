/** Judges one target, by its probe and the references to it. Pure. */
import type { RangeAnswer, TargetProbe } from "#core/check/target-probe.ts";
import type { Code, Facts, FactsOf, Finding } from "#core/findings/finding.ts";

/** Facts of the set about the target, and the form of the request. */
export interface TargetOutline {
  /** Bytes that its ranges need it to have. */
  readonly end: number;
  readonly isFile: boolean;
  /** A reference to its first byte is of an array whose chunks are compressed with gzip. */
  readonly mayBeGzip: boolean;
  /** A name that is there, and like this one that is not. */
  readonly near: string | undefined;
  /** When the references were written, in milliseconds; `undefined` where nothing says so. */
  readonly written: number | undefined;
  readonly origin: string | undefined;
}

/** Copied or published together: a target may be this much younger than its references, in milliseconds. */
const TOGETHER = 3_600_000;

export function judgeTarget(probe: TargetProbe, outline: TargetOutline): readonly Cause[] {
  const gone = unanswered(probe, outline) ?? inItsPlace(probe, outline);
  if (gone !== undefined) return [gone];
  return [rangeCause(probe), corsCause(probe, outline.origin), newerCause(probe, outline)].filter(
    (one) => one !== undefined,
  );
}

/** Bytes of the target, where what came was the target. */
export const knownSize = ({ range, size }: TargetProbe): number | undefined =>
  range?.kind === "other" || range?.kind === "encoded" || range?.kind === "long" ? undefined : size;

function unanswered(
  { failure, status, attempts, said, region, range, content }: TargetProbe,
  outline: TargetOutline,
): Cause | undefined {
  if (failure !== undefined) return causeOfFinding(failure, JSON.stringify(failure.facts["status"] ?? ""));
  if (status === undefined || status === 200 || status === 206 || range !== undefined) return undefined;
  // A 416 for a range at the end, after the beginning came.
  if (status === 416 && content !== undefined) return undefined;
  if (status === 404 || status === 410) {
    const isBucket = said?.code === "NoSuchBucket";
    if (!isBucket) return cause("target-gone", { status, near: outline.near }, `${status} ${outline.near ?? ""}`);
  }
  const { near } = outline;
  const told = { ...(said && { said }), ...(region && { region }), ...(near === undefined ? {} : { near }) };
  const facts = { status, expected: [206], attempts, ...told };
  return cause("http-status", facts, `${status} ${near ?? ""} ${said?.code ?? ""} ${said?.message ?? ""}`);
}

function inItsPlace({ content, size, redirectedTo }: TargetProbe, outline: TargetOutline): Cause | undefined {
  const { isFile, end } = outline;
  if (content === undefined) return undefined;
  switch (content.kind) {
    case "web-page": {
      const facts = { words: content.words, isFile, ...(redirectedTo === undefined ? {} : { redirectedTo }) };
      return cause("web-page", facts, content.words);
    }
    case "error-document": {
      const { code, message } = content;
      return cause("target-error-document", { said: code, message }, code);
    }
    case "lfs-pointer":
      return cause("target-lfs-pointer", { size: content.size });
    case "empty":
      return end > 0 ? cause("target-empty", {}) : undefined;
    case "gzip":
      // Chunks may be gzip themselves: then one of them begins where the target does.
      return !outline.mayBeGzip && end > 0 ? cause("target-gzipped", { size, end }) : undefined;
    case "data":
      return undefined;
  }
}

type RangeSeen = {
  readonly [Kind in RangeAnswer["kind"]]: (
    range: Extract<RangeAnswer, { kind: Kind }>,
    size: number | undefined,
  ) => Cause | undefined;
};

const RANGE_SEEN: RangeSeen = {
  honoured: () => undefined,
  ignored: (_, size) => cause("range-ignored", { outcome: "seen", size }),
  encoded: ({ encoding }) => cause("range-encoded", { outcome: "seen", size: undefined, encoding }, encoding),
  other: ({ first, last, asked }) =>
    cause("range-mismatch", { problem: "other-range", first, last, asked: { ...asked } }),
  short: ({ asked, received }, size) => cause("range-short", { received, length: asked.length, size }),
  long: ({ asked, received }) =>
    cause("range-mismatch", { problem: "too-many-bytes", length: asked.length, received }, "too-many-bytes"),
};

function rangeCause({ range, size }: TargetProbe): Cause | undefined {
  if (range === undefined) return undefined;
  return (RANGE_SEEN[range.kind] as (range: RangeAnswer, size: number | undefined) => Cause | undefined)(range, size);
}

export function corsCause({ cors }: TargetProbe, origin: string | undefined): Cause | undefined {
  if (cors === undefined || origin === undefined) return undefined;
  const allowed = cors.allowOrigin;
  if (allowed === "*" || allowed === origin) return undefined;
  return cause("cors-absent", { allowed, origin }, allowed ?? "");
}

function newerCause({ lastModified }: TargetProbe, { written }: TargetOutline): Cause | undefined {
  if (written === undefined) return undefined;
  const modified = Date.parse(lastModified ?? "");
  if (Number.isNaN(modified) || modified <= written + TOGETHER) return undefined;
  const [at, document] = [new Date(modified).toISOString(), new Date(written).toISOString()];
  return cause("target-newer", { modified: at, document });
}

// Causes of a target's problems, and the references that each is about.

/** Which references of a target a cause is about: all, or those that end after its end. */
export type Reach = { readonly kind: "all" } | { readonly kind: "past"; readonly size: number };

export interface Cause {
  readonly code: Code;
  readonly facts: Facts;
  /** Tells causes of one code and host apart. */
  readonly key: string;
  readonly reach: Reach;
  /** Chunks can be read all the same. */
  readonly leavesBytes: boolean;
}

/** Those that leave the bytes as they are. */
const HARMLESS: ReadonlySet<string> = new Set([
  "range-ignored",
  "range-encoded",
  "cors-absent",
  "target-newer",
  "target-matched-by-name",
]);

export const isHarmless = ({ leavesBytes }: Cause): boolean => leavesBytes;

/** A finding of what asks, as it is. */
export const causeOfFinding = ({ code, facts }: Pick<Finding, "code" | "facts">, key: string): Cause => ({
  code: code as Code,
  facts,
  key,
  reach: ALL,
  leavesBytes: HARMLESS.has(code),
});

const ALL: Reach = { kind: "all" };

export const cause = <C extends Code>(code: C, facts: FactsOf<C>, key = "", reach: Reach = ALL): Cause => ({
  code,
  facts,
  key,
  reach,
  leavesBytes: HARMLESS.has(code),
});

/** A target with what is wrong with it. */
export interface FaultyTarget {
  readonly id: number;
  readonly target: string;
  readonly host: string;
  readonly causes: readonly Cause[];
}

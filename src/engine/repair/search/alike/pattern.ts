/** Generalises the repair of one chunk: one change, made to many references. Pure. */
import type { RepairChange } from "#core/repair.ts";

export interface TargetRange {
  readonly target: string | null;
  readonly offset: number;
  readonly length: number;
}

export type Pattern =
  /** Bytes that the range begins later (negative: earlier), and by which it is longer. */
  | { readonly kind: "move"; readonly shift: number; readonly lengthen: number }
  /** Bytes that each chunk of the array has, which is stored without compression. */
  | { readonly kind: "size"; readonly size: number }
  /** Ranges of the files' own indexes, by target, offset and length as written. */
  | {
      readonly kind: "index";
      readonly ranges: ReadonlyMap<string, { readonly offset: number; readonly length: number }>;
    }
  /** `isWhole`: `from` is the whole address, else its beginning. */
  | { readonly kind: "prefix"; readonly from: string; readonly to: string; readonly isWhole: boolean };

/** `undefined` where the pattern changes nothing, or gives no range. */
export function changed(pattern: Pattern, { target, offset, length }: TargetRange): TargetRange | undefined {
  if (pattern.kind === "prefix") {
    const other = target === null ? undefined : changedTarget(pattern, target);
    return other === undefined ? undefined : { target: other, offset, length };
  }
  if (pattern.kind === "index") {
    const range = pattern.ranges.get(`${target} ${offset} ${length}`);
    return range && { target, ...range };
  }
  const moved =
    pattern.kind === "size"
      ? { target, offset, length: pattern.size }
      : { target, offset: offset + pattern.shift, length: length + pattern.lengthen };
  const isSame = moved.offset === offset && moved.length === length;
  return isSame || moved.offset < 0 || moved.length <= 0 ? undefined : moved;
}

export function changedTarget(pattern: Extract<Pattern, { kind: "prefix" }>, target: string): string | undefined {
  const { from, to, isWhole } = pattern;
  const isMeant = isWhole ? target === from : target.startsWith(from);
  return isMeant ? to + target.slice(from.length) : undefined;
}

/** `size`: bytes of a chunk, where only checksums change their number. */
export function patternOf(
  change: RepairChange,
  own: Partial<TargetRange>,
  size: number | undefined,
): Pattern | undefined {
  const { offset, length } = own;
  if (change.kind === "length" && size === change.length) return { kind: "size", size };
  if (change.kind === "length" && length !== undefined)
    return { kind: "move", shift: 0, lengthen: change.length - length };
  if (change.kind === "range" && offset !== undefined && length !== undefined)
    return { kind: "move", shift: change.offset - offset, lengthen: change.length - length };
  if (change.kind === "target" && change.range === undefined && typeof own.target === "string")
    return change.target === null ? undefined : prefixBetween(own.target, change.target);
  if (change.kind === "move") return change;
  return change.kind === "prefix" ? { ...change, isWhole: false } : undefined;
}

/** Their last parts that are the same left out: what differs may be the address of all of a folder or a host. */
export function prefixBetween(from: string, to: string): Extract<Pattern, { kind: "prefix" }> {
  const [a, b] = [from.split("/"), to.split("/")];
  let same = 0;
  while (same < Math.min(a.length, b.length) - 1 && a.at(-1 - same) === b.at(-1 - same)) same += 1;
  if (same === 0) return { kind: "prefix", from, to, isWhole: true };
  const start = (parts: readonly string[]) => `${parts.slice(0, parts.length - same).join("/")}/`;
  return { kind: "prefix", from: start(a), to: start(b), isWhole: false };
}

export function changeOf(pattern: Pattern): RepairChange {
  switch (pattern.kind) {
    case "size":
      return { kind: "length", length: pattern.size };
    case "prefix":
      return pattern.isWhole
        ? { kind: "target", target: pattern.to }
        : { kind: "prefix", from: pattern.from, to: pattern.to };
    case "index":
      return { kind: "index" };
    case "move":
      return pattern;
  }
}

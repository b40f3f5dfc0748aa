/**
 * The index that lies beside a GRIB file, wgrib2's `.idx` or ECMWF's `.index`, held against the file's own messages.
 */
import { finding, type Finding } from "#core/findings/finding.ts";
import { targetAt } from "#core/findings/fact.ts";
import { isJsonObject } from "#core/json/json.ts";
import { parseJson } from "#core/json/parse-json.ts";
import type { SourceFile } from "#core/source-file.ts";

interface Entry {
  readonly offset: number;
  /** An `.idx` has none. */
  readonly length: number | undefined;
}

/** `name`: of the index. */
export function compareIndex(
  { structures }: Pick<SourceFile, "structures">,
  text: string,
  name: string,
): readonly Finding[] {
  const messages = new Map(structures.filter(({ kind }) => kind === "message").map((one) => [one.offset, one.length]));
  const entries = entriesOf(text);
  const wrong = entries.filter(({ offset, length }) => {
    const there = messages.get(offset);
    return there === undefined || (length !== undefined && length !== there);
  });
  const listed = new Set(entries.map(({ offset }) => offset));
  const unlisted = [...messages.keys()].filter((offset) => !listed.has(offset)).length;
  const [first] = wrong;
  if (first === undefined && unlisted === 0) return [];
  const facts = { entries: entries.length, wrong: wrong.length, offset: first?.offset ?? 0, unlisted };
  return [finding("grib-index-stale", targetAt(name), facts)];
}

/** A line each: `3:1006:d=2024010206:VGRD:…`, or JSON with `_offset` and `_length`. Others are left out. */
export function entriesOf(text: string): readonly Entry[] {
  return text.split("\n").flatMap((line): readonly Entry[] => {
    const [, offset] = /^\d+(?:\.\d+)?:(\d+):/.exec(line) ?? [];
    if (offset !== undefined) return [{ offset: Number(offset), length: undefined }];
    return line.startsWith("{") ? jsonEntry(line) : [];
  });
}

function jsonEntry(line: string): readonly Entry[] {
  try {
    const { value } = parseJson(line);
    const [offset, length] = isJsonObject(value) ? [value.get("_offset"), value.get("_length")] : [];
    return typeof offset === "number" && typeof length === "number" ? [{ offset, length }] : [];
  } catch {
    return [];
  }
}

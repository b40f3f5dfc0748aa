/** Objects of the set's own store: their sizes where they are known, and a sample asked for where they are not. */
import type { CallContext } from "../../../core/byte-source.ts";
import { finding, type Finding } from "../../../core/findings/finding.ts";
import type { ChunkPlace } from "../../../core/findings/place.ts";
import { TARGET_NATIVE } from "../../../core/reference-table.ts";
import type { RuleCoverage } from "../../../core/open-set.ts";
import type { TargetProbe } from "../../../core/target-probe.ts";
import { startPace } from "../../pace.ts";
import { eachBlock } from "../../table/array-index.ts";
import type { EngineSet } from "../../engine-set.ts";
import { chunkOfRow } from "./cause-findings.ts";
import type { SourcesRequest } from "./sources-request.ts";
import { judgeTarget, knownSize } from "./judge-target.ts";

export interface CheckedObjects {
  readonly findings: readonly Finding[];
  readonly rules: readonly RuleCoverage[];
  /** Objects that chunks lie in, as far as they are targets of their own; how many were asked, and are as they should. */
  readonly of: number;
  readonly asked: number;
  readonly sound: number;
}

export const NO_OBJECTS: CheckedObjects = { findings: [], rules: [], of: 0, asked: 0, sound: 0 };

/** Where each object is a chunk, sizes are known since the set was opened (`chunkLengths`, a rule without network). */
export async function checkObjects(
  set: EngineSet,
  { limit }: Pick<SourcesRequest, "limit">,
  context: CallContext,
): Promise<CheckedObjects> {
  if (set.nativePlace === undefined || set.resolveKey === undefined) return NO_OBJECTS;
  const { objects, of } = await someObjects(set, limit, context);
  if (of === 0) return NO_OBJECTS;
  const findings: Finding[] = [];
  let next = 0;
  const keys = [...objects];
  const worker = async (): Promise<void> => {
    for (let at = next++; at < keys.length; at = next++) {
      const [key, object] = keys[at] ?? ["", { end: 0, chunks: [] }];
      findings.push(...(await askObject(set, key, object, context)));
      context.report({ label: "Asking chunk files", done: at + 1, total: keys.length, unit: "requests" });
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, keys.length) }, worker));
  const wrong = new Set(findings.map(({ place }) => (place.kind === "target" ? place.target : "")));
  const lookedAt = objects.size;
  const rules = [{ rule: "chunk-files", unit: "chunks", of, lookedAt, sampled: lookedAt < of ? lookedAt : 0 } as const];
  return { findings, rules, of, asked: lookedAt, sound: lookedAt - wrong.size };
}

const AT_ONCE = 32;
const MAX_CHUNKS = 100;

interface NativeObject {
  /** Bytes that it must have. */
  end: number;
  readonly chunks: ChunkPlace[];
}

/** Several chunks may lie in one object; of so many rows that not all are looked at, evenly many. */
async function someObjects({ table, nativePlace }: EngineSet, limit: number, context: CallContext) {
  const pace = startPace(context, "Looking at chunk files", table.rows);
  let count = 0;
  await eachBlock(table, pace, ({ target }, _first, rows) => {
    for (let i = 0; i < rows; i += 1) count += Number(target[i] === TARGET_NATIVE);
  });
  const step = Math.max(1, count / limit);
  const objects = new Map<string, NativeObject>();
  let [seen, wanted] = [0, 0];
  await eachBlock(table, pace, ({ target, array }, first, rows) => {
    for (let i = 0; i < rows; i += 1) {
      if (target[i] !== TARGET_NATIVE || seen++ < wanted) continue;
      wanted += step;
      const place = nativePlace?.(table.arrays[array[i] as number]?.path ?? "", { row: first + i });
      if (place === undefined) continue;
      const object = objects.get(place.key) ?? { end: 0, chunks: [] };
      objects.set(place.key, object);
      object.end = Math.max(object.end, place.range.offset + place.range.length);
      const chunk = chunkOfRow(table, first + i);
      if (chunk !== undefined && object.chunks.length < MAX_CHUNKS) object.chunks.push(chunk);
    }
  });
  return { objects, of: step > 1 ? count : objects.size };
}

async function askObject(
  set: EngineSet,
  key: string,
  { end, chunks }: NativeObject,
  context: CallContext,
): Promise<readonly Finding[]> {
  const places = chunks.map((chunk) => ({ kind: "target", target: key, chunk }) as const);
  const place = places[0] ?? ({ kind: "target", target: key } as const);
  const at = { ...(places.length > 1 ? { places } : {}), count: Math.max(1, places.length) };
  const resolution = set.resolveKey?.(key);
  if (resolution === undefined || resolution.kind === "unresolved")
    return [{ ...finding("native-object-missing", place, { status: undefined }), ...at }];
  const range = { offset: 0, length: end };
  const probe = await set.targets.probe(
    resolution,
    { furthest: end > 0 ? range : undefined, needsSize: true },
    context,
  );
  return objectFindings(probe, end).map((found) => ({ ...found, place, ...at }));
}

function objectFindings(probe: TargetProbe, end: number): readonly Finding[] {
  const place = { kind: "target", target: probe.url } as const;
  if (probe.status === 404 || probe.status === 410 || probe.failure?.code === "file-not-given")
    return [finding("native-object-missing", place, { status: probe.status })];
  const outline = { isFile: false, mayBeGzip: true, near: undefined, written: undefined, origin: undefined };
  const causes = judgeTarget(probe, { ...outline, end: 0 });
  const [first] = causes;
  if (first !== undefined) return [{ code: first.code, place, facts: first.facts, count: 1 }];
  const size = knownSize(probe);
  return size !== undefined && size < end ? [finding("native-object-short", place, { size, end })] : [];
}

/** Asks the chosen targets, a few at a time and politely: a host where nobody answers is not asked again and again. */
import type { CallContext } from "../../../core/byte-source.ts";
import { addressOf, originOf, type Resolution } from "../../../core/location.ts";
import type { TargetProbe } from "../../../core/target-probe.ts";
import type { Resolved } from "../../../io/sources.ts";
import type { EngineSet } from "../../engine-set.ts";
import { startPace } from "../../pace.ts";
import { blockOf, lengthOf } from "../../table/batch.ts";
import { targetText, type TargetRows } from "./target-rows.ts";

export interface AskedTarget {
  readonly id: number;
  readonly target: string | null;
  readonly resolution: Resolution;
  /** Absent where it cannot be asked for. */
  readonly probe?: TargetProbe;
}

export interface Asking {
  readonly set: EngineSet;
  readonly rows: TargetRows;
  /** Sent as `Origin` where a program may: what CORS allows is then judged. */
  readonly origin: string | undefined;
}

/** Together; each host has a limit of its own below it (`io/host-limit.ts`). */
const AT_ONCE = 32;
/** Targets of a host that nobody answers for, before it is left alone. */
const ENOUGH_SILENCE = 3;

/** `give` gets each with its place among `ids`, as they come. */
export async function probeTargets(
  asking: Asking,
  ids: readonly number[],
  give: (asked: AskedTarget, at: number) => void | Promise<void>,
  context: CallContext,
): Promise<void> {
  const silent = silentHosts();
  let [next, done] = [0, 0];
  const worker = async (): Promise<void> => {
    // Files may be looked at without waiting for anything.
    const pace = startPace(context, "Asking targets", ids.length);
    for (let at = next++; at < ids.length; at = next++) {
      context.signal.throwIfAborted();
      await give(await askOne(asking, ids[at] ?? 0, silent, context), at);
      done += 1;
      context.report({ label: "Asking targets", done, total: ids.length, unit: "requests" });
      await pace.yieldIfDue(done);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, ids.length) }, worker));
}

async function askOne(
  { set, rows, origin }: Asking,
  id: number,
  silent: ReturnType<typeof silentHosts>,
  context: CallContext,
): Promise<AskedTarget> {
  const target = targetText(set.index, rows, id);
  const resolution = set.targets.resolve(target);
  if (resolution.kind === "unresolved") return { id, target, resolution };
  const known = silent.of(resolution);
  if (known !== undefined)
    return { id, target, resolution, probe: { ...known, url: addressOf(resolution), requests: 0 } };
  const wish = { furthest: furthestOf(set, rows, id), needsSize: (rows.whole[id] ?? 0) > 0, origin };
  const probe = await set.targets.probe(resolution, wish, context);
  silent.note(resolution, probe);
  return { id, target, resolution, probe };
}

function furthestOf({ table }: EngineSet, { end, endRow }: TargetRows, id: number) {
  const row = (endRow[id] ?? 0) - 1;
  if (row < 0) return undefined;
  const { target, length: lengths } = blockOf(table, row);
  const at = row & 0xffff;
  const length = lengthOf(table, row, target[at] ?? 0, lengths[at] ?? 0);
  return { offset: (end[id] ?? 0) - length, length };
}

/** Hosts that never answered. */
function silentHosts() {
  const hosts = new Map<string, { silences: number; answered: boolean; last: TargetProbe }>();
  return {
    of(resolution: Resolved): TargetProbe | undefined {
      const host = hosts.get(originOf(resolution) ?? "");
      return host !== undefined && !host.answered && host.silences >= ENOUGH_SILENCE ? host.last : undefined;
    },
    note(resolution: Resolved, probe: TargetProbe): void {
      const name = originOf(resolution);
      if (name === undefined) return;
      const host = hosts.get(name) ?? { silences: 0, answered: false, last: probe };
      hosts.set(name, host);
      if (probe.unreachable === undefined) host.answered = true;
      else Object.assign(host, { silences: host.silences + 1, last: probe });
    },
  };
}

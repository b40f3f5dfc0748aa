/** What deep checks of a set keep of its arrays, and what is told of it. */
import type { Axis, AxisValues } from "../../../../core/axis.ts";
import { placeRange } from "../../../../core/axis-text.ts";
import type { CallContext } from "../../../../core/byte-source.ts";
import { timeNanoseconds, type TimeView } from "../../../../core/cf-time.ts";
import type { ProfiledArray, ValueProfile } from "../../../../core/value-profile.ts";
import type { EngineSet } from "../../../engine-set.ts";
import { coordinateArray, roleOf, textOf } from "../../../many/axis.ts";
import { leastOf, mostOf } from "../extremes.ts";
import { CHUNK_DECODED, CHUNK_FAILED, CHUNK_UNREAD, NO_FILE, type ArrayFacts } from "../value-facts.ts";
import { coordinateProfile } from "./coordinate-profile.ts";
import { keptProfile, type KeptProfile } from "./kept-profile.ts";
import { valueProfile, viewOf, type AboutArray } from "./value-profile.ts";

/** By path. */
export type SetProfiles = Map<string, KeptOfArray>;

interface KeptOfArray extends KeptProfile {
  /** Only chunks that were doubtful for some reason: they say what is wrong with them, and nothing of the array. */
  readonly isDoubtful: boolean;
}

const readIn = ({ states }: Pick<KeptProfile, "states">): number =>
  states.reduce((count, state) => count + Number(state !== CHUNK_UNREAD), 0);

/** A look at fewer chunks does not take the place of one at more. */
export async function keepProfiles(
  profiles: SetProfiles,
  { facts, isDoubtful }: { readonly facts: readonly ArrayFacts[]; readonly isDoubtful: boolean },
  context: CallContext,
): Promise<void> {
  for (const one of facts) {
    const known = profiles.get(one.node.path);
    const read = readIn(one);
    if (read === 0 || (known !== undefined && readIn(known) > read)) continue;
    profiles.set(one.node.path, { ...(await keptProfile(one, context)), isDoubtful });
  }
}

/** Those of which chunks were read, not the doubtful alone, and have values; in the order of the set. */
export function profiledArrays({ hierarchy }: EngineSet, profiles: SetProfiles): readonly ProfiledArray[] {
  return [...hierarchy.nodes.keys()].flatMap((path) => {
    const kept = profiles.get(path);
    return kept?.isDoubtful === false && kept.states.includes(CHUNK_DECODED) ? [arraySums(kept)] : [];
  });
}

function arraySums(kept: KeptProfile): ProfiledArray {
  const { node, states, of, mean, count, missing } = kept;
  let [elements, without, sum, weight] = [0, 0, 0, 0];
  const slots = [...states.keys()].filter((slot) => states[slot] === CHUNK_DECODED);
  for (const slot of slots) {
    const [all = 0, none = 0, value = NaN] = [count[slot], missing[slot], mean[slot]];
    elements += all;
    without += none;
    if (Number.isNaN(value)) continue;
    sum += value * (all - none);
    weight += all - none;
  }
  const failed = states.filter((state) => state === CHUNK_FAILED).length;
  const isEmpty = weight === 0;
  const { units, time } = viewOf(kept);
  return {
    array: node.path,
    of,
    failed,
    read: readIn(kept) - failed,
    minimum: isEmpty ? NaN : leastOf(kept.minimum, slots),
    maximum: isEmpty ? NaN : mostOf(kept.maximum, slots),
    mean: isEmpty ? NaN : sum / weight,
    missing: elements === 0 ? NaN : without / elements,
    ...(units === undefined ? {} : { units }),
    ...(time === undefined ? {} : { time }),
  };
}

export interface ProfileRequest {
  readonly array: string;
  /** Coordinates of a chunk: those that differ from it along the axis alone. */
  readonly through?: readonly number[];
  /** Of a coordinate its values, around these positions. */
  readonly around?: readonly number[];
}

/** `undefined` where nothing is kept of the array, or of a coordinate not all of its values. */
export function profileOf(
  set: EngineSet,
  profiles: SetProfiles,
  { array, through, around }: ProfileRequest,
): ValueProfile | undefined {
  const kept = profiles.get(array);
  if (kept === undefined) return undefined;
  const fileName = (file: number) => (file === NO_FILE ? undefined : set.table.targets.text(file));
  if (around !== undefined) return coordinateProfile(kept, around, { fileName });
  return valueProfile(kept, through, { fileName, ...placesAlong(set, profiles, kept) });
}

/** From the coordinate along the axis, where the check has read it whole. */
function placesAlong(set: EngineSet, profiles: SetProfiles, kept: KeptProfile): Pick<AboutArray, "placeRange"> {
  const coordinate = kept.axis < 0 ? undefined : coordinateArray(set, kept.node, kept.axis);
  const known = coordinate === undefined ? undefined : profiles.get(coordinate.path);
  if (coordinate === undefined || known?.whole === undefined || coordinate === kept.node) return {};
  const units = textOf(coordinate, "units");
  const values = axisValues(known.whole, known.scaling?.time);
  if (values === undefined) return {};
  const axis: Axis = { array: coordinate.path, role: roleOf(coordinate), units, values };
  return { placeRange: (from, to) => placeRange(axis, from, to) };
}

function axisValues(whole: Float64Array<ArrayBuffer>, time: TimeView | undefined): AxisValues | undefined {
  if (time === undefined) return { kind: "numbers", numbers: whole };
  const nanoseconds = new BigInt64Array(whole.length);
  for (const [at, value] of whole.entries()) {
    const date = timeNanoseconds(value, time);
    if (date === undefined) return undefined;
    nanoseconds[at] = date;
  }
  return { kind: "dates", nanoseconds };
}

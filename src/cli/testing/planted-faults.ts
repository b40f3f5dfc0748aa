/**
 * For tests and figures: sets with planted faults, and which of them `check` names. The sets lie beside the project
 * (`../shared/fixtures/faults`, its README says what counts as found).
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { ChunkDecoder } from "#engine/chunk/chunk-decoder.ts";
import { checkRefs, type Report } from "../check-command.ts";
import type { CheckFinding } from "#core/report/report.ts";
import type { CommandOptions } from "../options.ts";

export type Visible = "a" | "b" | "c" | "d" | "e";

export interface FaultPlace {
  readonly array?: string | readonly string[];
  readonly keys?: readonly string[];
  readonly coords?: readonly (readonly number[])[];
  readonly target?: string;
  readonly targets?: readonly string[];
}

export interface Fault {
  readonly class: string;
  readonly visible: Visible;
  readonly severity: CheckFinding["severity"];
  readonly note: string;
  readonly says?: string;
  readonly place: FaultPlace;
}

export interface FaultSet {
  readonly id: string;
  readonly base?: string;
  readonly http?: object;
  readonly visible: Visible;
  readonly faults: readonly Fault[];
}

export interface Planted {
  readonly bases: Readonly<Record<string, FaultSet>>;
  readonly cases: readonly FaultSet[];
  readonly controls: readonly (FaultSet & { readonly note?: string })[];
}

interface Server {
  readonly url: string;
  close(): Promise<void>;
}

interface Maker {
  readonly loadFaults: (folder: string) => Planted;
  readonly materialize: (
    planted: Planted,
    entry: FaultSet,
    folder: string,
    server: Server | undefined,
  ) => { readonly open: string; readonly root: string | undefined };
  readonly serve: (http: object) => Promise<Server>;
}

const ROOT = resolve(import.meta.dirname, "../../..");
const SHARED = resolve(ROOT, process.env["REFSCOPE_SHARED"] ?? "../shared");

/** True if the planted faults lie beside the project. */
export const arePlanted = existsSync(join(SHARED, "fixtures/faults/faults.json"));

const maker = () => import(pathToFileURL(join(SHARED, "make/faults/materialize.mjs")).href) as Promise<Maker>;

export async function plantedFaults(): Promise<Planted> {
  return (await maker()).loadFaults(join(SHARED, "fixtures/faults"));
}

/** Makes a set from files in a folder of its own, which is gone afterwards. */
export async function withFaultSet<T>(
  planted: Planted,
  entry: FaultSet,
  use: (open: string, root: string | undefined) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "refscope-fault-"));
  try {
    const { open, root } = (await maker()).materialize(planted, entry, folder, undefined);
    return await use(open, root);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export interface CheckedFaultSet {
  readonly report: Report;
  /** The loopback server's address, where the set was served. */
  readonly origin: string | undefined;
}

/** Makes a set in a folder of its own and checks it with the options that faults so visible are asked for with. */
export async function checkFaultSet(
  planted: Planted,
  entry: FaultSet,
  visible: Visible,
  decoder: ChunkDecoder,
): Promise<CheckedFaultSet> {
  const { materialize, serve } = await maker();
  const folder = mkdtempSync(join(tmpdir(), "refscope-fault-"));
  const server = entry.http === undefined ? undefined : await serve(entry.http);
  try {
    const { open, root } = materialize(planted, entry, folder, server);
    const context = { signal: new AbortController().signal, report: () => undefined };
    const report = await checkRefs(open, optionsFor(visible, root), decoder, context);
    return { report, origin: server?.url };
  } finally {
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function optionsFor(visible: Visible, root: string | undefined): CommandOptions {
  const base = { json: true, chunks: false, offline: false, target: undefined, choice: undefined };
  if (visible === "a") return { ...base, root: undefined };
  return { ...base, root, network: true, ...(visible === "b" ? {} : { deep: "all" }) };
}

const RANKS = { info: 0, warning: 1, error: 2 } as const;

/** The finding that names the fault at its place, and is not found in the undamaged set. */
export function namedBy(
  fault: Fault,
  { report, origin }: CheckedFaultSet,
  base: CheckedFaultSet | undefined,
): CheckFinding | undefined {
  const place = withOrigin(fault.place, origin);
  const before = base?.report.findings ?? [];
  const basePlace = withOrigin(fault.place, base?.origin);
  return report.findings.find(
    (one) =>
      RANKS[one.severity] >= RANKS[fault.severity] &&
      isAt(place, one, fault.says) &&
      !before.some(
        (other) => other.code === one.code && other.message === one.message && isAt(basePlace, other, fault.says),
      ),
  );
}

/** True if the words name the cause, if the truth gives words for it. */
export const saysCause = ({ says }: Fault, { message, advice = "", cause }: CheckFinding): boolean =>
  says === undefined || new RegExp(says, "i").test(`${message} ${advice} ${cause}`);

function isAt(place: FaultPlace, found: CheckFinding, says: string | undefined): boolean {
  const { array, keys = [], coords = [], target, targets = [] } = place;
  const isPlaceless = array === undefined && keys.length === 0 && target === undefined;
  if (isPlaceless) return new RegExp(says ?? "$^", "i").test(`${found.message} ${found.advice ?? ""} ${found.cause}`);
  if (array !== undefined && !([array].flat() as readonly unknown[]).includes(found.array)) return false;
  const named = [target, ...targets].filter((one) => one !== undefined);
  if (keys.length + coords.length + named.length === 0) return true;
  const chunks = (found.chunks ?? []).map(String);
  const wanted = [...keys, ...coords.map(String)];
  if (wanted.some((one) => one === found.key || chunks.includes(one))) return true;
  return named.some((one) => found.target === one || found.target?.endsWith(`/${one}`) === true);
}

function withOrigin(place: FaultPlace, origin: string | undefined): FaultPlace {
  const text = JSON.stringify(place)
    .replaceAll("@ORIGIN@", origin ?? "@ORIGIN@")
    .replaceAll("@DEAD@", "http://127.0.0.1:9");
  return JSON.parse(text) as FaultPlace;
}

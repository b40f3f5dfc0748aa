/**
 * The trial as the user has drafted it: steps that can be switched off, moved and changed, and a range that can be
 * shifted.
 */
import type { CodecSummary } from "#core/open-set.ts";
import type { CodecDescription, CodecField, Trial, TrialStep } from "#core/check/lab.ts";
import { countOf } from "#widgets/number-format.ts";
import { attempt } from "#core/basics.ts";
import { findingOfError, RefscopeError } from "#core/findings/finding.ts";
import { explained } from "#core/findings/explain.ts";
import type { JsonObject, JsonValue } from "#core/json/json.ts";
import { parseJson, writeJson } from "#core/json/parse-json.ts";

export interface DraftStep {
  /** Stays with the step when it moves. */
  readonly key: number;
  readonly id: string;
  /** JSON text as typed. */
  readonly configuration: string;
  readonly off: boolean;
}

export type DraftByteOrder = "declared" | "little" | "big";

export interface TrialDraft {
  /** Steps in the order of decoding. */
  readonly steps: readonly DraftStep[];
  readonly byteOrder: DraftByteOrder;
  /** Bytes that the range begins later. */
  readonly shift: number;
  /** Bytes that the range is longer. */
  readonly lengthen: number;
}

export type DeclaredCodec = Pick<CodecSummary, "id" | "configuration">;

/** Draft equal to the metadata. */
export function declaredDraft(codecs: readonly DeclaredCodec[]): TrialDraft {
  return { ...UNTOUCHED, steps: codecs.map((codec, key) => stepOf(codec, key)) };
}

const UNTOUCHED: TrialDraft = { steps: [], byteOrder: "declared", shift: 0, lengthen: 0 };

function stepOf({ id, configuration, off = false }: TrialStep, key: number): DraftStep {
  return { key, id, configuration, off };
}

/** A draft that says what a trial says. */
export function draftOf(trial: Trial, codecs: readonly DeclaredCodec[]): TrialDraft {
  const { steps = codecs, byteOrder = "declared", shift = 0, lengthen = 0 } = trial;
  return { steps: steps.map(stepOf), byteOrder, shift, lengthen };
}

/** Differences of a draft from the metadata; `undefined` if there are none. */
export function trialOf({ steps, byteOrder, shift, lengthen }: TrialDraft, codecs: readonly DeclaredCodec[]) {
  const trial: Trial = {
    ...(isDeclared(steps, codecs) ? {} : { steps: steps.map(trialStep) }),
    ...(byteOrder === "declared" ? {} : { byteOrder }),
    ...(shift === 0 ? {} : { shift }),
    ...(lengthen === 0 ? {} : { lengthen }),
  };
  return Object.keys(trial).length === 0 ? undefined : trial;
}

function isDeclared(steps: readonly DraftStep[], codecs: readonly DeclaredCodec[]): boolean {
  const same = (step: DraftStep, at: number) =>
    !step.off && step.id === codecs[at]?.id && isSameText(step.configuration, codecs[at]?.configuration ?? "");
  return steps.length === codecs.length && steps.every(same);
}

/** `{}` and nothing are both an empty configuration. */
const isSameText = (one: string, other: string): boolean => bareText(one) === bareText(other);
const bareText = (text: string): string => text.trim().replace(/^\{\s*\}$/, "");

function trialStep({ id, configuration, off }: DraftStep): TrialStep {
  return { id, configuration: configuration.trim(), ...(off ? { off } : {}) };
}

/** Why the draft cannot be read with: one sentence, of the first step that is wrong. A step that is off may be. */
export function draftProblem({ steps }: TrialDraft): string | undefined {
  for (const { id, configuration, off } of steps) {
    const problem = off ? undefined : configurationProblem(configuration);
    if (problem !== undefined) return `${id}: ${problem}`;
  }
  return undefined;
}

export function withStep(draft: TrialDraft, key: number, part: Partial<Omit<DraftStep, "key">>): TrialDraft {
  return { ...draft, steps: draft.steps.map((step) => (step.key === key ? { ...step, ...part } : step)) };
}

export function withoutStep(draft: TrialDraft, key: number): TrialDraft {
  return { ...draft, steps: draft.steps.filter((step) => step.key !== key) };
}

/** One place earlier (-1) or later (1); at the ends nothing moves. */
export function movedStep(draft: TrialDraft, key: number, by: 1 | -1): TrialDraft {
  const from = draft.steps.findIndex((step) => step.key === key);
  const step = draft.steps[from];
  if (step === undefined || from + by < 0 || from + by >= draft.steps.length) return draft;
  const steps = draft.steps.toSpliced(from, 1).toSpliced(from + by, 0, step);
  return { ...draft, steps };
}

/** `at`: its place in the order of decoding. */
export function insertedStep(draft: TrialDraft, at: number, codec: DeclaredCodec): TrialDraft {
  const key = 1 + Math.max(-1, ...draft.steps.map((step) => step.key));
  return { ...draft, steps: draft.steps.toSpliced(at, 0, stepOf(codec, key)) };
}

/**
 * Index of the step among the stages of a reading, whose first is the stored bytes; `undefined` for one that is off.
 */
export function stageOfStep({ steps }: TrialDraft, key: number): number | undefined {
  const step = steps.find((one) => one.key === key);
  if (step === undefined || step.off) return undefined;
  return 1 + steps.filter(({ off }) => !off).indexOf(step);
}

/** Steps and byte order are of the metadata, and so of every chunk. */
export const isOfOneChunk = ({ steps, byteOrder }: Trial): boolean => steps === undefined && byteOrder === undefined;

/** Changes of a trial, in words, for notices and names of edits. */
export function trialWords(trial: Trial, codecs: readonly DeclaredCodec[]): string {
  const { steps, byteOrder, shift = 0, lengthen = 0 } = trial;
  const bytes = (count: number) => countOf(Math.abs(count), "byte");
  return [
    ...(steps === undefined ? [] : [chainWords(steps, codecs)]),
    ...(byteOrder === undefined ? [] : [`${byteOrder}-endian elements`]),
    ...(shift === 0 ? [] : [`${bytes(shift)} ${shift > 0 ? "later" : "earlier"}`]),
    ...(lengthen === 0 ? [] : [`${bytes(lengthen)} ${lengthen > 0 ? "longer" : "shorter"}`]),
  ].join(", ");
}

/** `shuffle {"elementsize":2}`, `without fletcher32`, or the whole chain where more than that differs. */
function chainWords(steps: readonly TrialStep[], codecs: readonly DeclaredCodec[]): string {
  const on = steps.filter(({ off }) => off !== true);
  const isSame = (step: DeclaredCodec, codec: DeclaredCodec | undefined) =>
    step.id === codec?.id && isSameText(step.configuration, codec.configuration);
  if (on.length === codecs.length && on.every(({ id }, at) => id === codecs[at]?.id)) {
    const other = on.filter((step, at) => !isSame(step, codecs[at]));
    return other.map(({ id, configuration }) => `${id} ${configuration.trim() || "{}"}`).join(", ");
  }
  const gone: string[] = [];
  let at = 0;
  for (const codec of codecs) {
    const step = on[at];
    if (step !== undefined && isSame(step, codec)) at += 1;
    else gone.push(codec.id);
  }
  if (at === on.length) return `without ${gone.join(", ")}`;
  return `decode with ${on.map(({ id }) => id).join(" → ")}`;
}

// Configurations of codecs, by fields where members are known, and as JSON text.

/** A codec's fields, by any of its names; none where it is not known. */
export function codecFields(known: readonly CodecDescription[], id: string): readonly CodecField[] {
  const find = (name: string) =>
    known.find((one) => one.id === name) ?? known.find(({ otherNames }) => otherNames.includes(name));
  return (find(id) ?? find(id.replace(/^numcodecs\./, "")))?.fields ?? [];
}

/** Why a text is not a configuration; one sentence. Nothing at all is an empty one. */
export function configurationProblem(text: string): string | undefined {
  if (text.trim() === "") return undefined;
  try {
    return parseJson(text).value instanceof Map ? undefined : "A configuration is a JSON object, such as {}.";
  } catch (error) {
    return `This is not JSON. ${error instanceof RefscopeError ? explained(findingOfError(error)).message : String(error)}`;
  }
}

function configurationOf(text: string): JsonObject | undefined {
  if (text.trim() === "") return new Map();
  const value = attempt(() => parseJson(text).value);
  return value instanceof Map ? (value as JsonObject) : undefined;
}

/** A member as a field shows it: text bare, anything else as JSON; empty where it is absent. */
export function memberText(configuration: string, name: string): string {
  const value = configurationOf(configuration)?.get(name);
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : writeJson(value);
}

/**
 * The configuration with a member set as typed; empty takes it out. `undefined` where what was typed is not a value of the
 * field, or the configuration as it stands is none.
 */
export function withMember(configuration: string, field: CodecField, typed: string): string | undefined {
  const before = configurationOf(configuration);
  if (before === undefined) return undefined;
  const after = new Map(before);
  if (typed.trim() === "") after.delete(field.name);
  else {
    const value = typedValue(field, typed.trim());
    if (value === undefined) return undefined;
    after.set(field.name, value);
  }
  return after.size === 0 ? "" : writeJson(after);
}

function typedValue({ kind }: CodecField, typed: string): JsonValue | undefined {
  if (kind === "text") return typed;
  const value = attempt(() => parseJson(typed).value);
  return kind === "json" || typeof value === "number" || typeof value === "bigint" ? value : undefined;
}

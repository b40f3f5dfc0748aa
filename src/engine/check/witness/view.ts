/**
 * The view that witnesses have: the arrays of a set, their small arrays' values (each read once), source files that were
 * indexed already, and measures of decoded chunks. They hand in statements; those of one fact are held together here.
 */
import { groupedBy } from "#core/basics.ts";
import type { CallContext } from "#core/byte-source.ts";
import { maskOf, missingTest } from "#core/cf/cf-statistics.ts";
import { scale, viewedValues } from "#core/cf/cf.ts";
import type { Compared, Disagreement, StatementSide, StatementSource } from "#core/check/statement.ts";
import { type Finding, finding, isAbort, nodeAt, type Place } from "#core/findings/finding.ts";
import type { ArrayNode, HierarchyNode } from "#core/metadata/array-metadata.ts";
import { textAttribute } from "#core/metadata/attribute.ts";
import { hasNumbers } from "#core/metadata/data-type.ts";
import { isCoordinate, nearPaths, parentOf } from "#core/metadata/hierarchy-path.ts";
import { isFree } from "#core/plane/plane-budget.ts";
import { type Selection, wholeDimension } from "#core/plane/selection.ts";
import { decodeValues } from "#core/values/values.ts";
import { writtenType } from "#core/values/written-elements.ts";
import type { ChunkDecoder } from "#engine/chunk/chunk-decoder.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import { planeCost } from "#engine/many/plane-cost.ts";
import { readPart } from "#engine/many/array-part.ts";
import { readSelection } from "#engine/many/read-selection.ts";
import type { HeldFile } from "../held/held-files.ts";
import { scalingOfNode } from "../values/note-chunk.ts";
import type { ArrayFacts } from "../values/value-facts.ts";
import { drawnPlaces } from "./drawn.ts";
import { shower } from "./show.ts";
import { unitsMeant } from "./units.ts";
import { changeBetween, type ChangeOptions, differing, type Stated } from "./change.ts";

/** Elements of one array that are read for this, and of all together. */
const [MAX_ELEMENTS, MAX_TOGETHER, MAX_TEXTS] = [500_000, 8_000_000, 20_000];

export interface Statement extends Stated {
  readonly source: StatementSource;
}

/** All statements of where the elements of one array lie, in its own unit; its own values come first. */
interface Stating {
  readonly array: ArrayNode;
  readonly statements: Statement[];
  readonly options: { -readonly [Name in keyof ChangeOptions]: ChangeOptions[Name] };
}

export interface WitnessRequest {
  readonly decoder: ChunkDecoder;
  /** The cost of reading coordinates was accepted; otherwise only what is at hand is read. */
  readonly isPaid: boolean;
  /** Data may be read, too, within a budget. */
  readonly isDeep: boolean;
  readonly held?: readonly HeldFile[] | undefined;
  readonly facts?: readonly ArrayFacts[] | undefined;
  /** Nodes of which something is said already: nothing is added. */
  readonly told: ReadonlySet<string>;
}

export class WitnessView {
  readonly arrays: readonly ArrayNode[];
  readonly findings: Finding[] = [];
  compared: Compared[] = [];
  readonly #byGroup: ReadonlyMap<string, readonly ArrayNode[]>;
  readonly #facts: ReadonlyMap<ArrayNode, ArrayFacts>;
  readonly #numbers = new Map<string, Promise<Float64Array | undefined>>();
  readonly #told: Set<string>;
  readonly #stated = new Map<string, Stating>();
  #room = MAX_TOGETHER;

  readonly set: EngineSet;
  readonly request: WitnessRequest;
  readonly context: CallContext;

  constructor(set: EngineSet, request: WitnessRequest, context: CallContext) {
    [this.set, this.request, this.context] = [set, request, context];
    this.arrays = [...set.hierarchy.nodes.values()].filter((node) => node.kind === "array");
    this.#byGroup = groupedBy(this.arrays, parentOf);
    this.#told = new Set(request.told);
    this.#facts = new Map(request.facts?.map((one) => [one.node, one]));
  }

  /** Something was said of the array: what follows from it is not said as well. */
  isTold(path: string): boolean {
    return this.#told.has(path);
  }

  tell(found: Finding, ...paths: readonly string[]): void {
    this.findings.push(found);
    for (const path of paths) this.#told.add(path);
  }

  /** Measures of the chunks that were decoded. */
  factsOf(node: ArrayNode): ArrayFacts | undefined {
    return this.#facts.get(node);
  }

  groupOf(node: Pick<ArrayNode, "path">): HierarchyNode | undefined {
    return this.set.hierarchy.nodes.get(parentOf(node));
  }

  /** Arrays of the same group, its own among them. */
  beside(node: Pick<ArrayNode, "path">): readonly ArrayNode[] {
    return this.#byGroup.get(parentOf(node)) ?? [];
  }

  /** An array by its name, in the group of another or one above it. */
  near({ path }: Pick<ArrayNode, "path">, name: string): ArrayNode | undefined {
    for (const near of nearPaths(path, name)) {
      const node = this.set.hierarchy.nodes.get(near);
      if (node?.kind === "array") return node;
    }
    return undefined;
  }

  /** All values, unpacked, in C order; times as they count. `undefined` where some of them are not known. */
  numbers(node: ArrayNode): Promise<Float64Array | undefined> {
    const known = this.#numbers.get(node.path) ?? this.#read(node);
    this.#numbers.set(node.path, known);
    return known;
  }

  /** A box of an array, unpacked; `undefined` as above. */
  async part(node: ArrayNode, selection: Selection): Promise<Float64Array | undefined> {
    const elements = selection.reduce((product, { count }) => product * count, 1);
    const isOfNumbers = hasNumbers(node.metadata.dataType) && node.metadata.dataType.kind !== "complex";
    if (!isOfNumbers || elements > this.#room || elements === 0) return undefined;
    this.#room -= elements;
    const request = { set: this.set, node, selection, decoder: this.request.decoder };
    try {
      const { bytes, texts, failed, missing } = await readSelection(request, this.context);
      if (texts !== undefined || failed.size > 0 || missing > 0) return undefined;
      const shape = selection.map(({ count }) => count);
      return unpacked(node, decodeValues(bytes, { dataType: writtenType(node.metadata), chunks: shape, order: "C" }));
    } catch (error) {
      if (isAbort(error)) throw error;
      return undefined;
    }
  }

  /** Texts in C order; `undefined` where some of them are not known. */
  async texts(node: ArrayNode): Promise<readonly string[] | undefined> {
    const count = node.metadata.shape.reduce((product, length) => product * length, 1);
    if (!this.request.isPaid || count > this.#room || count > MAX_TEXTS) return undefined;
    this.#room -= count;
    try {
      const selection = node.metadata.shape.map(wholeDimension);
      const request = { set: this.set, node, selection, cf: false, decoder: this.request.decoder };
      const { failed, missing, text } = await readPart(request, this.context);
      return failed.size + missing > 0 ? undefined : Array.from({ length: count }, (_, at) => text(at));
    } catch (error) {
      if (isAbort(error)) throw error;
      return undefined;
    }
  }

  async #read(node: ArrayNode): Promise<Float64Array | undefined> {
    const { shape } = node.metadata;
    const known = this.factsOf(node);
    if (known?.whole !== undefined && known.states.every((state) => state === 1)) return known.whole;
    const elements = shape.reduce((product, length) => product * length, 1);
    if (elements > MAX_ELEMENTS || this.set.index.arrayIds.get(node.path) === undefined) return undefined;
    if (!this.request.isPaid) {
      const rank = shape.length;
      const plane = { row: rank > 1 ? rank - 2 : undefined, column: Math.max(0, rank - 1), at: shape.map(() => 0) };
      if (rank > 2 || !isFree(await planeCost({ set: this.set, node, plane }, () => false, this.context)))
        return undefined;
    }
    return this.part(node, shape.map(wholeDimension));
  }

  /** Adds statements of where the elements of an array lie. The array's values are one of them. */
  state(
    array: ArrayNode,
    values: ArrayLike<number>,
    statements: readonly Statement[],
    options: Partial<ChangeOptions>,
  ): void {
    const own: Statement = { numbers: values, source: { kind: "values", name: array.name } };
    const known = this.#stated.get(array.path) ?? { array, statements: [own], options: { tolerance: 0 } };
    this.#stated.set(array.path, known);
    known.statements.push(...statements);
    const tolerance = Math.max(known.options.tolerance, options.tolerance ?? 0);
    Object.assign(known.options, options, { tolerance });
  }

  /** True if another statement is known that agrees with the array's own values. */
  isConfirmed({ path }: ArrayNode): boolean {
    const { statements: [own, ...others] = [], options } = this.#stated.get(path) ?? {};
    return (
      own !== undefined && options !== undefined && others.some((other) => differing(own, other, options).length === 0)
    );
  }

  /** Holds all statements against each other, array by array. */
  holdAll(): void {
    for (const stating of this.#stated.values()) if (!this.isTold(stating.array.path)) this.#hold(stating);
    this.#stated.clear();
    // The two coordinates are told in place of a first pixel that nothing else states.
    this.compared = this.compared.filter(({ quantity, sources }) => quantity !== "pixel" || sources.length > 1);
    // Others may state more, if reading was not paid for.
    if (this.request.isPaid) this.#noteStatedOnce();
  }

  /** Coordinates that nothing was held against, for want of another statement. */
  #noteStatedOnce(): void {
    const held = new Set(this.compared.flatMap((one) => (one.sources.length > 1 ? subjectsOf(one) : [])));
    for (const node of this.arrays.filter(isCoordinate)) {
      const { path, name } = node;
      if (held.has(path) || this.isTold(path) || textAttribute(node.attributes, "bounds") !== undefined) continue;
      this.compared.push({ quantity: "place", subject: path, sources: [{ kind: "values", name }], agrees: true });
    }
  }

  #hold({ array, statements, options }: Stating): void {
    const sources = statements.map(({ source }) => source);
    const disagreement = oddOf(statements, (one, other) => differing(one, other, options).length === 0);
    const agrees = disagreement === undefined;
    this.compared.push({ quantity: "place", subject: array.path, sources, agrees });
    if (disagreement === undefined) return;
    const { one, other, agree } = disagreement;
    const wrong = differing(one, other, options);
    const [at = 0] = wrong;
    const { show, unit } = shower(array);
    const valueAt = ({ numbers, within }: Stated, position: number) =>
      show(numbers[position] ?? NaN, within?.[position] ?? 0);
    const right = other.within === undefined ? firstOf(other, (position) => valueAt(other, position)) : [];
    const change = changeBetween(one, other, options);
    const units = change?.kind === "times" && options.seconds !== undefined ? unitsMeant(array, change.factor) : {};
    this.disagree(array, {
      quantity: "place",
      a: { source: one.source, value: valueAt(one, at) },
      b: { source: other.source, value: valueAt(other, at) },
      position: at,
      differ: wrong.length,
      of: one.numbers.length,
      agree: agree.map(({ source }) => source),
      change: change && { ...change, ...units },
      right,
      unit,
      drawn: drawnPlaces(array, one, other, { wrong, change, wraps: options.wraps }),
    });
  }

  /** Tells of an array that two statements disagree; of single numbers nothing more need be given. */
  disagree(
    array: Pick<ArrayNode, "path">,
    about: Pick<Disagreement, "quantity" | "a" | "b"> & Partial<Disagreement>,
    ...also: readonly string[]
  ): void {
    const rest = { position: 0, differ: 1, of: 1, agree: [], change: undefined, right: [], unit: undefined };
    const facts = { ...rest, drawn: undefined, ...about, array: array.path };
    this.tell(finding("statements-disagree", this.placeOf(array), facts), array.path, ...also);
  }

  /** Notes that two statements were held against each other, and tells it if they disagree. */
  hold(
    array: Pick<ArrayNode, "path">,
    agrees: boolean,
    about: Parameters<WitnessView["disagree"]>[1],
    isTold = !agrees,
  ): void {
    const sources = [about.a.source, about.b.source];
    this.compared.push({ quantity: about.quantity, subject: array.path, sources, agrees });
    if (isTold) this.disagree(array, about);
  }

  placeOf({ path }: Pick<ArrayNode, "path">): Place {
    return nodeAt(path);
  }
}

export const side = (kind: StatementSource["kind"], name: string, value: string): StatementSide => ({
  source: { kind, name },
  value,
});

/** The first pixel is stated by two arrays, "x and y", of one group. */
function subjectsOf({ quantity, subject, sources }: Compared): readonly string[] {
  if (quantity !== "pixel") return [subject];
  const group = parentOf({ path: subject });
  return (sources[0]?.name ?? "").split(" and ").map((name) => (group === "" ? name : `${group}/${name}`));
}

const MAX_SHOWN = 6;

const firstOf = ({ numbers }: Stated, show: (position: number) => string): readonly string[] =>
  numbers.length > MAX_SHOWN ? [] : Array.from(numbers, (_, position) => show(position));

/** The statement that stands alone, and those that it differs from. Of two, nobody knows: the first is named first. */
export function oddOf<T>(statements: readonly T[], isSame: (one: T, other: T) => boolean) {
  const companions = statements.map((one) => statements.filter((other) => other !== one && isSame(one, other)));
  const least = Math.min(...companions.map(({ length }) => length));
  if (least === statements.length - 1) return undefined;
  const at = companions.findIndex(({ length }) => length === least);
  const one = statements[at] as T;
  const [other, ...more] = statements.filter((each) => each !== one && !isSame(one, each));
  if (other === undefined) return undefined;
  return { one, other, agree: more.filter((each) => isSame(each, other)) };
}

function unpacked(node: ArrayNode, stored: ReturnType<typeof decodeValues>): Float64Array | undefined {
  const scaling = scalingOfNode(node);
  const values = scaling === undefined ? stored : viewedValues(stored, scaling);
  const { numbers } = values;
  if (numbers === undefined) return undefined;
  const isMissing = missingTest(values, numbers, scaling, maskOf(stored, scaling));
  const found = new Float64Array(numbers.length);
  for (let at = 0; at < found.length; at += 1) {
    const value = Number(numbers[at]);
    found[at] = isMissing(at) ? NaN : scaling === undefined ? value : scale(value, scaling);
  }
  return found;
}

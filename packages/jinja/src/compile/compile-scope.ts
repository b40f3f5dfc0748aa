/** Entering and leaving scopes: what each variable is before anything is assigned to it. */
import { distance, sequence, type Place } from "../program.ts";
import type { Act, Frame } from "../run.ts";
import { variableOf, type Symbols, type Variable } from "../scope.ts";
import { TemplateError, typeError, withSpan } from "../template-error.ts";
import type { AssignmentTarget } from "../tree.ts";
import { iterate, typeName } from "../python/index.ts";
import { PyList, PyTuple, type PyObject, type Value } from "../value.ts";

/** Whether a name of the template's own scope is never assigned: it is then read from outside directly. */
export function isOnlyRead(variable: Variable, place: Place): boolean {
  return variable.owner.isTemplate && variable.level === 0 && !place.symbols.isStored(variable);
}

/** Gives the scope's variables what they are at its beginning. */
export function compileEntry(place: Place): Act {
  const acts: Act[] = [];
  for (const [{ slot, owner, level, name: own }, load] of place.symbols.loads) {
    if (load.kind === "undefined") {
      acts.push((frame) => {
        frame.slots[slot] = undefined;
      });
    } else if (load.kind === "alias") {
      const read = readSlot(load.from, place);
      acts.push((frame) => {
        frame.slots[slot] = read(frame);
      });
    } else if (load.kind === "resolve" && !isOnlyRead({ owner, level, name: own, slot }, place)) {
      const { name } = load;
      const number = place.program.numberOf(name);
      acts.push((frame) => {
        frame.slots[slot] = frame.context.resolve(name, number);
      });
    }
  }
  return sequence(acts);
}

/** Runs what belongs into the scope of `place`, between entering and leaving it. */
export function compileScope(place: Place, act: Act): Act {
  const enter = compileEntry(place);
  const exit = compileExit(place.symbols);
  return (frame) => {
    enter(frame);
    act(frame);
    exit(frame);
  };
}

/** Forgets the scope's variables. */
export function compileExit(symbols: Symbols): Act {
  const slots = [...symbols.loads.keys()].map((variable) => variable.slot);
  return (frame) => {
    for (const slot of slots) frame.slots[slot] = undefined;
  };
}

/** A variable's value as it is, undefined where it has none. */
export function readSlot(variable: Variable, place: Place): (frame: Frame) => Value | undefined {
  const { slot } = variable;
  if (isOnlyRead(variable, place)) {
    const number = place.program.numberOf(variable.name);
    return (frame) => frame.outside[number];
  }
  const steps = distance(place.symbols.owner, variable.owner);
  return (frame) => {
    let owner = frame;
    for (let step = 0; step < steps && owner.parent !== undefined; step += 1) owner = owner.parent;
    return owner.slots[slot];
  };
}

export type Assign = (frame: Frame, value: Value) => void;

/** Assigns to names, unpacks into tuples, or sets a namespace's attribute. */
export function compileTarget(target: AssignmentTarget, place: Place): Assign {
  if (target.kind === "name") {
    const { slot } = variableOf(place.symbols, target.name, target);
    return (frame, value) => {
      frame.slots[slot] = value;
    };
  }
  if (target.kind === "target-attribute") return compileAttributeTarget(target, place);
  const items = target.items.map((item) => compileTarget(item, place));
  return (frame, value) => {
    try {
      const values = unpacked(value, items.length, frame);
      for (const [index, assign] of items.entries()) assign(frame, values[index] ?? null);
    } catch (error) {
      throw withSpan(error, target);
    }
  };
}

function compileAttributeTarget(target: AssignmentTarget & { kind: "target-attribute" }, place: Place): Assign {
  const read = readSlot(variableOf(place.symbols, target.object, target), place);
  return (frame, value) => {
    const object = read(frame);
    if (!isNamespace(object)) {
      throw new TemplateError("TemplateRuntimeError", "cannot assign attribute on non-namespace object", target);
    }
    object.set(target.name, value);
  };
}

function isNamespace(value: Value | undefined): value is PyObject & { set: (name: string, value: Value) => void } {
  return typeof value === "object" && value !== null && "set" in value && "kind" in value;
}

function unpacked(value: Value, count: number, frame: Frame): readonly Value[] {
  const values: Value[] = [];
  for (const item of walkable(value, frame)) {
    if (values.length === count) throw new TemplateError("ValueError", `too many values to unpack (expected ${count})`);
    values.push(item);
  }
  if (values.length === count) return values;
  throw new TemplateError("ValueError", `not enough values to unpack (expected ${count}, got ${values.length})`);
}

function walkable(value: Value, frame: Frame): Iterable<Value> {
  if (value instanceof PyTuple || value instanceof PyList) return value.items;
  try {
    return iterate(value, frame.run.budget);
  } catch (error) {
    if (error instanceof TemplateError && error.python === "TypeError") {
      throw typeError(`cannot unpack non-iterable ${typeName(value)} object`);
    }
    throw error;
  }
}

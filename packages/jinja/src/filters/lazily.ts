/** Filters that are generators in Python: nothing happens before someone walks the result. */
import { typeError } from "../template-error.ts";
import { EXHAUSTED, PyIterator, type Value } from "../value.ts";

/** A walk that Python's iterator is made of; `text`: how it prints. */
export function pyIterator(steps: Iterator<Value>, text: string): PyIterator {
  return new PyIterator(() => {
    const step = steps.next();
    return step.done === true ? EXHAUSTED : step.value;
  }, text);
}

/** `name`: the generator function's, for how it prints. */
export function lazily(name: string, make: () => Iterable<Value>): PyIterator {
  let steps: Iterator<Value> | undefined;
  let isBusy = false;
  const next = (): Value | typeof EXHAUSTED => {
    if (isBusy) throw typeError("generator already executing");
    isBusy = true;
    steps ??= make()[Symbol.iterator]();
    const step = steps.next();
    isBusy = false;
    return step.done === true ? EXHAUSTED : step.value;
  };
  return new PyIterator(next, `<generator object ${name} at 0x..>`);
}

/**
 * Takes from a worker's global scope all that is not the language: fetch, sockets, databases, workers, `postMessage`.
 * The policy of the document is the lock (`connect-src 'none'`); this is a second one. An allow-list, so that what
 * browsers add later is gone too.
 */

/** The language's own names, timers, and the scope's names for itself. */
const KEPT: ReadonlySet<string> = new Set(
  (
    "globalThis self undefined NaN Infinity setTimeout clearTimeout " +
    "Object Function Array Boolean Number BigInt String Symbol Date RegExp Promise Math JSON Intl Reflect Proxy " +
    "Iterator Map Set WeakMap WeakSet WeakRef FinalizationRegistry " +
    "Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError SuppressedError " +
    "ArrayBuffer DataView Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array " +
    "Float16Array Float32Array Float64Array BigInt64Array BigUint64Array " +
    "parseInt parseFloat isNaN isFinite eval " +
    "encodeURI encodeURIComponent decodeURI decodeURIComponent escape unescape"
  ).split(" "),
);

/** Removes them from `scope` and from what it inherits, up to `Object.prototype`. What cannot be removed stays. */
export function stripScope(scope: object): void {
  for (let level: object | null = scope; level !== null && level !== Object.prototype;) {
    const above: object | null = Reflect.getPrototypeOf(level);
    for (const name of Reflect.ownKeys(level)) {
      if (typeof name === "symbol" || !KEPT.has(name)) Reflect.deleteProperty(level, name);
    }
    level = above;
  }
}

/** Buffers that an answer gives away when it crosses to another thread, instead of being copied. */

const BUFFERS = new WeakMap<object, readonly ArrayBuffer[]>();

/** Marks the buffers of an answer that its maker does not keep. */
export function givingAway<T extends object>(answer: T, buffers: readonly ArrayBuffer[]): T {
  BUFFERS.set(answer, buffers);
  return answer;
}

export function buffersOf(answer: unknown): readonly ArrayBuffer[] {
  return typeof answer === "object" && answer !== null ? (BUFFERS.get(answer) ?? []) : [];
}

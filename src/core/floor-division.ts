/** Division towards minus infinity, as Python has it, of integers of any size; `by` is above 0. */

export function floorDivide(value: bigint, by: bigint): bigint {
  return (value - modulo(value, by)) / by;
}

export function modulo(value: bigint, by: bigint): bigint {
  return ((value % by) + by) % by;
}

/** Division towards minus infinity, as Python has it, of integers of any size; `by` is above 0. */

export const floorDivide = (value: bigint, by: bigint): bigint => (value - modulo(value, by)) / by;

export const modulo = (value: bigint, by: bigint): bigint => ((value % by) + by) % by;

/** What lies along a dimension of an array. */
import type { TimeView } from "./cf-time.ts";
import type { Finding } from "../findings/finding.ts";

export type AxisRole = "latitude" | "longitude" | "time" | "other";

export type AxisValues =
  | { readonly kind: "numbers"; readonly numbers: Float64Array<ArrayBuffer> }
  /** Nanoseconds since 1970-01-01. */
  | { readonly kind: "dates"; readonly nanoseconds: BigInt64Array<ArrayBuffer> }
  | { readonly kind: "texts"; readonly texts: readonly string[] };

/** What a coordinate along several dimensions is at one element. */
export interface BesideValue {
  readonly name: string;
  readonly role: AxisRole;
  readonly units: string | undefined;
  readonly value: number;
  /** Where it counts time. */
  readonly time?: TimeView;
}

export interface Axis {
  /** Path of the coordinate array. */
  readonly array: string;
  readonly role: AxisRole;
  readonly units: string | undefined;
  /** Absent where some of it could not be read, is too long, or would cost more than is read unasked. */
  readonly values?: AxisValues;
  readonly failed?: Finding;
}

/** Rows that count up from the south: drawn from the last to the first, north is up. */
export function isNorthLast(axis: Axis | undefined): boolean {
  if (axis?.role !== "latitude" || axis.values?.kind !== "numbers") return false;
  const { numbers } = axis.values;
  return (numbers[0] ?? 0) < (numbers.at(-1) ?? 0);
}

/** State of a variable's values: unknown, the cost of reading them, or the values. */
import type { ColourHint } from "#core/cf/colour-hint.ts";
import type { ChunkEdges } from "#core/metadata/chunk-grid.ts";
import type { CardVariable } from "#core/dataset-card.ts";
import type { Finding } from "#core/findings/finding.ts";
import { outOfReach } from "#core/findings/out-of-reach.ts";
import type { PlaneCost } from "#core/plane/plane.ts";
import type { AxisRange } from "./axis-range.ts";

/** A variable with what of its grid is needed to read it. */
export interface CardItem extends Pick<CardVariable, "path" | "role" | "hasNumbers" | "isTime"> {
  readonly shape: readonly number[];
  readonly chunks: readonly ChunkEdges[];
  readonly grid: readonly number[];
  readonly dimensionNames: readonly (string | undefined)[];
  readonly colours?: ColourHint | undefined;
}

/** A chunk that has no values to show; shares of the picture's sides. */
export interface PictureGap {
  readonly kind: "failed" | "missing" | "unread";
  readonly top: number;
  readonly left: number;
  readonly height: number;
  readonly width: number;
}

export type Picture =
  | {
      readonly kind: "image";
      readonly width: number;
      readonly height: number;
      /** RGBA; transparent where there is no value. */
      readonly pixels: Uint8ClampedArray<ArrayBuffer>;
      readonly gaps: readonly PictureGap[];
      /** Its colours as a CSS gradient, from the least value to the greatest. */
      readonly ramp: string | undefined;
    }
  | {
      readonly kind: "line";
      /** SVG path in a box of `LINE_BOX`. */
      readonly path: string;
      readonly gaps: readonly PictureGap[];
    };

/** The size of pictures, less a margin. */
export const LINE_BOX = { width: 128, height: 72 } as const;

export interface ReadValues {
  readonly kind: "values";
  /** Absent for a single value. */
  readonly picture?: Picture;
  /** Range of the values read, as text; absent if there is none. */
  readonly range?: { readonly low: string; readonly high: string };
  /** True if every element of the array was read. */
  readonly isAll: boolean;
  readonly chunks: number;
  readonly failed: number;
  /** Why the first of them failed. */
  readonly error?: Finding;
}

export type VariableLook =
  | { readonly kind: "waiting" }
  | { readonly kind: "reading" }
  /** Nothing that could be drawn. */
  | { readonly kind: "none" }
  /** It is not read unasked. */
  | { readonly kind: "unread"; readonly cost: PlaneCost }
  | ({ readonly kind: "axis"; readonly isNorthLast: boolean } & AxisRange)
  | ReadValues
  | { readonly kind: "failed"; readonly error: Finding };

/** Why there is no value: nothing came of its source, which says nothing of what is there, or reading it failed. */
export function failureOf(look: VariableLook): "out of reach" | "failed" | undefined {
  const error = look.kind === "failed" || look.kind === "values" ? look.error : undefined;
  if (error === undefined) return undefined;
  return outOfReach(error) === undefined ? "failed" : "out of reach";
}

/** Stands in place of the range. */
export function failureWords(look: Extract<VariableLook, { kind: "failed" | "values" }>): string {
  const isOut = failureOf(look) === "out of reach";
  if (look.kind === "failed") return isOut ? "out of reach" : "could not be read";
  const isOne = look.failed === 1 && look.chunks === 1;
  if (isOut) return isOne ? "its chunk is out of reach" : "its first chunks are out of reach";
  return isOne ? "its chunk could not be read" : "its first chunks could not be read";
}

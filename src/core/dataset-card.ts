/** A group as its users think of it: a dataset with dimensions, coordinates and variables. From metadata alone. */
import type { ChunkEdges } from "./metadata/chunk-grid.ts";
import type { Georeference } from "./conventions/georeference.ts";
import type { DataType } from "./metadata/data-type.ts";

/**
 * `dimension`: a coordinate along the dimension of its own name. `coordinate`: one that an attribute
 * `coordinates` names (CF §5). `other`: data variables that say neither what they are nor in which units.
 */
export type VariableRole = "dimension" | "coordinate" | "data" | "other";

export interface CardVariable {
  readonly path: string;
  readonly name: string;
  readonly role: VariableRole;
  /** `long_name`, else `standard_name`. */
  readonly title?: string;
  /** Units as written. */
  readonly units?: string;
  readonly type: {
    readonly kind: DataType["kind"];
    /** Bytes of an element; 0 = any. */
    readonly itemSize: number;
    readonly isBigEndian: boolean;
    /** Name of the type as written. */
    readonly text: string;
  };
  /** Scaled by `scale_factor` or `add_offset`. */
  readonly isPacked: boolean;
  /** Counts of time since a date that can be read. */
  readonly isTime: boolean;
  /** True if its elements are plain numbers, which a picture can show. */
  readonly hasNumbers: boolean;
  /** Referenced, as far as references say how many. */
  readonly bytes: number;
  /** References that cannot be read. */
  readonly bad: number;
}

export interface CardDimension {
  readonly name: string;
  /** One, unless the arrays do not agree. */
  readonly lengths: readonly number[];
  /** True if a coordinate lies along it. */
  readonly hasCoordinate: boolean;
}

export interface CardGroup {
  readonly path: string;
  readonly name: string;
  /** Arrays at any depth below it. */
  readonly arrays: number;
}

export interface CardAttribute {
  readonly name: string;
  /** Text as it is, everything else as JSON; only the beginning of what is long. */
  readonly text: string;
  readonly isCut: boolean;
}

/** One level of a picture at several resolutions. */
export interface CardLevel {
  /** Path of the array or group. */
  readonly path: string;
  /** "level 1, 1:2". */
  readonly words: string;
  /** `unknown`: the store cannot be listed, and nobody asked for it. */
  readonly kind: "array" | "group" | "broken" | "absent" | "unknown";
  /** It is one, or they lie in it. */
  readonly arrays: number;
  /** Path and shape of the array with the most elements. */
  readonly array?: string;
  readonly shape?: readonly number[];
  readonly chunks?: readonly ChunkEdges[];
  /** With its unit where that is declared. */
  readonly elementSize?: string;
}

export interface CardLevels {
  /** "multiscales convention", "OME-NGFF 0.5, axes c, y, x". */
  readonly convention: string;
  readonly name?: string;
  readonly resampling?: string;
  readonly levels: readonly CardLevel[];
}

export interface DatasetCard {
  readonly path: string;
  readonly title?: string;
  readonly summary?: string;
  readonly conventions?: string;
  readonly dimensions: readonly CardDimension[];
  readonly variables: readonly CardVariable[];
  readonly groups: readonly CardGroup[];
  /** Levels that the group declares, in the order of its attributes. */
  readonly levels: readonly CardLevels[];
  readonly georeference?: Georeference;
  /** The first of them. */
  readonly attributes: readonly CardAttribute[];
  readonly attributeCount: number;
}

/** Result of reading one chunk: every step, kept also if a later one failed. */
import type { RequestReport, Resolution } from "./byte-source.ts";
import type { TimeView } from "./cf/cf-time.ts";
import type { ValidRange } from "./cf/cf-valid.ts";
import type { Finding } from "./findings/finding.ts";
import type { BytesLook, Trial } from "./check/lab.ts";
import type { ChunkState } from "./table/reference.ts";
import type { RowOrigin } from "./table/version1.ts";

export interface StageReport {
  /** `stored` for the bytes as they came, else the codec's id as the metadata spells it. */
  readonly id: string;
  /** For people: "shuffle, 2-byte elements". */
  readonly label: string;
  /** JSON text of the codec's configuration; empty for `stored`. */
  readonly configuration: string;
  readonly bytesIn: number;
  /** Absent where the stage failed or was not reached. */
  readonly bytesOut?: number;
  /** First bytes of the output, at most 64. */
  readonly head?: Uint8Array<ArrayBuffer>;
  /** Appearance of the output; absent if there is none. */
  readonly look?: BytesLook;
  readonly milliseconds?: number;
  readonly error?: Finding;
}

/** Over the part of the chunk inside the array's edge. */
export interface Statistics {
  /** Elements inside the edge. */
  readonly count: number;
  /** Those without a value: NaN and infinite (raw); in the scaled view NaN and those equal to a fill value. */
  readonly missing: number;
  /** Exact decimal text for integers; absent where no value is left or the type has no order. */
  readonly minimum?: string;
  readonly maximum?: string;
  readonly mean?: string;
  /** Elements whose raw value equals the array's `fill_value` (or `_FillValue`). */
  readonly equalToFill: number;
  /** Values, not missing, outside the valid range; absent where there is no such range. */
  readonly outsideValid?: number;
  /** Minimum and maximum as counts, where the texts are dates. */
  readonly counts?: { readonly minimum: number; readonly maximum: number };
}

export interface ValuesReport {
  /** Shape of the whole decoded chunk, and of what lies inside the array. */
  readonly shape: readonly number[];
  readonly inside: readonly number[];
  /** Type as the metadata spells it: `<i2`. */
  readonly dtype: string;
  /** True if a heat map makes sense. */
  readonly numeric: boolean;
  /** Present where the CF view, as xarray has it, is another than the raw one. */
  readonly scaling?: {
    readonly scaleFactor: number;
    readonly addOffset: number;
    readonly fillValues: readonly string[];
    readonly units?: string;
    /** 0 is not declared missing: it is masked only because the `fill_value` is 0, as xarray does in Zarr v2. */
    readonly zeroIsImplied?: true;
    /** Integers are read the other way than stored (`_Unsigned`), before anything else. */
    readonly readAs?: "signed" | "unsigned";
    /** Values are counts of time, shown as dates. */
    readonly time?: TimeView;
    /** Why counts of time stay numbers; full sentences. */
    readonly timeProblem?: Finding;
    /** Before scaling. What lies outside is counted, not masked, as in xarray. */
    readonly valid?: ValidRange;
  };
  readonly raw: Statistics;
  readonly scaled?: Statistics;
}

export interface Reading {
  /** Handle for asking for stage bytes and slices; valid until the engine drops the reading. */
  readonly id: number;
  readonly array: string;
  readonly coordinates: readonly number[];
  /** Present where the chunk was read other than as declared; `written` is still the reference as declared. */
  readonly trial?: Trial;
  readonly key: string;
  readonly state: ChunkState;
  /** The reference, its URL rendered, as JSON text (inline values cut); "" where there is none. */
  readonly written: string;
  /** Origin of the reference; absent if the set renders nothing, or if there is no reference. */
  readonly origin?: RowOrigin;
  readonly resolution?: Resolution;
  readonly request?: RequestReport;
  readonly stages: readonly StageReport[];
  readonly outcome: "ok" | "missing" | "failed";
  /** Error, if `outcome` is `failed`. */
  readonly error?: Finding;
  readonly values?: ValuesReport;
  readonly findings: readonly Finding[];
}

export interface ForecastShape {
    readonly runs: number;
    readonly leads: number;
    readonly arrays: number;
    /** Runs in a manifest. */
    readonly split: number;
    readonly incomplete: number;
    readonly absent: number;
}
export declare const FORECAST: ForecastShape;
/** What was planted. */
export interface ForecastTruth {
    readonly references: number;
    /** `run lead` → arrays that lack it. */
    readonly incomplete: Readonly<Record<string, readonly string[]>>;
    /** References that are not there. */
    readonly missing: number;
    readonly absent: readonly string[];
}
/** Writes `repository/` and `archive/` into the folder. */
export declare function writeForecast(folder: string, shape: ForecastShape): Promise<ForecastTruth>;

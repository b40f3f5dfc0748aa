/** A set of one array with a rectilinear chunk grid: two months, rows of 2 and 6, columns of 5, 1 and 8, of which 6 are the array's. */
export declare const SHAPE: readonly [59, 8, 12];
/** Of element (time, lat, lon). */
export declare const valueAt: (time: number, lat: number, lon: number) => number;
/** The document, and the file of its chunks; chunk 1.0.1 is missing. */
export declare function rectilinearSet(): {
    readonly document: string;
    readonly file: Uint8Array;
};

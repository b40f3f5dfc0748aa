/** Mouse and keys as both of the W3C's protocols take them: WebDriver and WebDriver BiDi, "Actions". */
export type Actions = readonly Readonly<Record<string, unknown>>[];
export declare function clicks(x: number, y: number, times: number): Actions;
export declare function heldTogether(keys: readonly string[]): Actions;
export declare function typed(text: string): Actions;

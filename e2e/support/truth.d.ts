export declare const SAMPLES: string;
export declare function truthOf(array: string, name: string): Record<string, number>;

export declare function benchForecast(data: string): Promise<void>;

export declare function benchTyping(): Promise<void>;

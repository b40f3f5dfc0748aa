import { type Engine } from "./page.ts";
export declare const chromium: {
    name: string;
    launch(): Promise<Engine | undefined>;
};

import { type Engine } from "./page.ts";
export declare const webkit: {
    name: string;
    launch(): Promise<Engine | undefined>;
};

import { type Engine } from "./page.ts";
export declare const firefox: {
    name: string;
    launch(): Promise<Engine | undefined>;
};

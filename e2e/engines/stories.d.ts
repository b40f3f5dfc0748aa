import { type RangeServer } from "../support/range-server.ts";
import type { User } from "./user.ts";
/** What the stories need besides the page. */
export interface StoryContext {
    readonly user: User;
    /** A server of another origin. */
    readonly server: RangeServer;
}
export type Story = (given: StoryContext) => Promise<void>;
export declare const STORIES: ReadonlyMap<string, Story>;

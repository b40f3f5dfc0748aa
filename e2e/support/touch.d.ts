/** Whether what can be pressed is large enough for a finger, and nothing is wider than the screen. */
import type { Locator, Page } from "@playwright/test";
/**
 * Controls below 44 px. Those in the row of a table, links and fields within sentences, and boxes with a label beside them may have
 * 24 px (WCAG 2.2, 2.5.8).
 */
export declare function smallTargets(page: Page, part?: string): Promise<readonly string[]>;
/** Two fingers that part, across the middle. */
export declare function pinch(page: Page, picture: Locator): Promise<void>;

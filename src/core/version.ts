/** The project's version, and where it is at home. */
import { homepage, version } from "../../package.json";

export const VERSION: string = version;

/** The page's address; "" until its owner says so in package.json, as a release does. */
export const HOMEPAGE: string = homepage;

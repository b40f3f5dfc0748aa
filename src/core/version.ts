/** The project's version, and where it is at home. */
import { homepage, version } from "../../package.json";

export const VERSION: string = version;

/** The page's address; "" until its owner says so in package.json, as a release does. */
const HOMEPAGE: string = homepage;

/** The page of a code in the public documentation, once there is one. */
export const codeAddress = (code: string): string | undefined =>
  HOMEPAGE === "" ? undefined : `${HOMEPAGE.replace(/\/$/, "")}/docs/codes/${code}.html`;

/** The project's version. */
import * as project from "../../package.json";

export const VERSION: string = project.version;

/** Where the project is at home, once its owner says so in package.json. */
const HOMEPAGE = (project as { readonly homepage?: string }).homepage;

/** The page of a code in the public documentation, once there is one. */
export const codeAddress = (code: string): string | undefined =>
  HOMEPAGE === undefined ? undefined : `${HOMEPAGE.replace(/\/$/, "")}/docs/codes/${code}.html`;

/** The project's version. */
import * as project from "../../package.json";

export const VERSION: string = project.version;

/** Where the project is at home, once its owner says so in package.json. */
export const HOMEPAGE = (project as { readonly homepage?: string }).homepage;

/** Path of the terminal's program, built where a source has changed. */
export function builtTerminal(): Promise<string>;

/** Whether a target is a path without a beginning of its own: no scheme, drive or root. */
export const isRelativePath = (target: string): boolean =>
  target !== "" && !/^(?:[a-z][a-z0-9+.-]*:|[/\\])/i.test(target);

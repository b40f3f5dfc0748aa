/** True if a target is a relative path: without scheme, drive or root. */
export const isRelativePath = (target: string): boolean =>
  target !== "" && !/^(?:[a-z][a-z0-9+.-]*:|[/\\])/i.test(target);

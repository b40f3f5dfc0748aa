export function faultOf(message: string): string | undefined;

/** Callers that may use the control API besides the owner: everyone, or callers with the control token. */
export type ControlReach = 'everyone' | 'token';

/** The path of the control API, independent of the base path of a server. */
export const controlPath = '/_calendar';

/** Returns whether a path belongs to the control API. */
export const isControl = (path: string): boolean => path.startsWith(controlPath) && /^(\/|$)/.test(path.slice(controlPath.length));

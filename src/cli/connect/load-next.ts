/**
 * Loads the next part of the program that commands need which use SQLite for a file or a server. Returns false if there is none. The build replaces this file (see
 * build.ts): only the bundle has parts.
 */
export const loadNext = (_use: 'file' | 'server'): boolean => false;

import type { Assets } from './compile.ts';

let compiled: Promise<Assets> | undefined;

const compile = async (): Promise<Assets> => (await (await import('./compile.ts')).compileApp()).files;

/** Compiles the page on first use. The bundle replaces this module with one that contains the compiled files. */
export const assets = (): Promise<Assets> => {
  compiled ??= compile();
  return compiled;
};

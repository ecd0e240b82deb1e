/** The scripts and the style sheet of the page. Names contain a hash of the content; those of the entry points begin with `main-`. */
export type Assets = { name: string; bytes: Uint8Array }[];

let compiled: Promise<Assets> | undefined;

const compile = async (): Promise<Assets> => (await (await import('./compile.ts')).compileApp()).files;

/** Compiles the page on first use. The bundle replaces this module with one that contains the compiled files. */
export const assets = (): Promise<Assets> => {
  compiled ??= compile();
  return compiled;
};

/** The script and the style sheet of the page. */
export interface Assets {
  script: Uint8Array;
  style: Uint8Array;
}

/** Compiles the page on first use. The bundle replaces this module with one that contains the compiled files. */
export const assets = async (): Promise<Assets> => (await import('./compile.ts')).compileApp();

/** The script and the style of the page. */
export interface Assets {
  script: Uint8Array;
  style: Uint8Array;
}

/** What the page is made of. From sources it is compiled when it is first asked for; the bundle has it as parts of its own. */
export const assets = async (): Promise<Assets> => (await import('./compile.ts')).compileApp();

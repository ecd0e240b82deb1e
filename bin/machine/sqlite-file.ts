/** The address of SQLite beside the program. Bundlers understand this form. The build of the single file replaces it by one without `import.meta`. */
export const sqliteFile = (): URL => new URL('./sqlite.wasm', import.meta.url);

import type { InitSqlJsStatic, SqlJsStatic } from 'sql.js';

/** Starts sql.js with an instance of SQLite, which `instantiate` makes with its imports. Rejects as that does. */
export const startSqlJs = (start: InitSqlJsStatic, instantiate: (imports: object) => Promise<object>): Promise<SqlJsStatic> =>
  new Promise((resolve, reject) => {
    const instantiateWasm = (imports: object, done: (instance: object) => void) => {
      instantiate(imports).then(done).catch(reject);
      return {};
    };
    start({ instantiateWasm, useOldExtensionFunctions: false } as object).then(resolve, reject);
  });

/** Imports a module of the user. The build replaces it with a function of the loader, because the parts of the bundle have no `import()`. */
export const importModule = (address: string): Promise<object> => import(address);

/** Returns the address of the explorer with a request filled in. The target is a path with its query. */
export const explorerAddress = (method: string, target: string): string =>
  `/_calendar/api?${new URLSearchParams({ request: `${method} ${target}` })}`;

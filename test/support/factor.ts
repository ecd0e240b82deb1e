/** Returns a factor from the environment, 1 by default. Throws if it is not a number above 0. */
export function factorFrom(name: string): number {
  const factor = Number(process.env[name] ?? 1);
  if (!(factor > 0)) throw new Error(`${name} is a number above 0, not ${process.env[name]}`);
  return factor;
}

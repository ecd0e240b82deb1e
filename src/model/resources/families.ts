import { type ResourceName, resources } from './all.ts';

/** The family of each resource. The bundle has them as a literal (see build.ts), because loading the definitions takes longer than printing help or a request. */
export const families = Object.fromEntries(Object.entries(resources).map(([name, { family }]) => [name, family])) as Readonly<
  Record<ResourceName, 'post' | 'term'>
>;

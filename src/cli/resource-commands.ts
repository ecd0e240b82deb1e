import { resourceNames } from '../model/resources/all.ts';

/** The commands of resources. The bundle has their names as a literal (see build.ts), because loading the definitions takes longer than printing help. */
export const resourceCommands: readonly string[] = resourceNames;

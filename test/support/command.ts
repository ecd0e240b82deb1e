import { run, type Transcript } from './transcript.ts';

/** Runs `calendar ARGS`, in this process or as the bundle that CALENDAR_BUNDLE names. */
export const command = (...args: string[]): Promise<Transcript> => run(args, { cwd: import.meta.dirname });

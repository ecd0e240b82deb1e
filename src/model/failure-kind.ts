/** HTTP status and exit code of a failure. */
export interface FailureKind {
  status: number;
  exit: ExitCode;
}

/** An exit code of the command line. */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** Exit codes of the command line; `calendar help exit-codes` prints them. */
export const exitCodes = {
  ok: 0,
  unexpected: 1,
  invalid: 2,
  missing: 3,
  forbidden: 4,
  unreachable: 5,
  conflict: 6,
  server: 7,
  partial: 8,
} as const satisfies Record<string, ExitCode>;

export const kind = (status: number, exit: keyof typeof exitCodes): FailureKind => ({ status, exit: exitCodes[exit] });

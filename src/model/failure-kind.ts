/** HTTP status and exit code of a failure. */
export interface FailureKind {
  status: number;
  exit: ExitCode;
}

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
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export const kind = (status: number, exit: keyof typeof exitCodes): FailureKind => ({ status, exit: exitCodes[exit] });

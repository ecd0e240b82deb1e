/** The clock of a calendar. */
export interface ClockState {
  /** In UTC, ISO 8601. */
  now: string;
  /** Whether it stands still. */
  frozen: boolean;
  /** Milliseconds that it is ahead of the system's while it runs. */
  ahead: number;
}

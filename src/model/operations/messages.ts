import type { ResourceName } from '../calendar.ts';
import type { ClockState } from './clock.ts';
import type { RequestSummary } from './requests.ts';

/** What became of one record by a change: of one in the trash, nothing that is seen; what comes out of it is created. */
export interface RecordMessage {
  resource: ResourceName;
  id: number;
  action: 'created' | 'updated' | 'deleted';
}

/**
 * Everything may be other than it was, and is to be read again. `replaced`: a reset, or a snapshot that was brought back. `many`: one change of so many records that they are not told
 * one by one, or of settings, which all records are shown by. `missed`: the reader asked for messages that are gone, or that another start of the server told.
 */
export interface ResetMessage {
  reason: 'replaced' | 'many' | 'missed';
}

/** What a message says, by its type. */
export interface MessageData {
  change: RecordMessage;
  request: RequestSummary;
  reset: ResetMessage;
  /** Somebody has set the clock. */
  clock: ClockState;
}
export type MessageType = keyof MessageData;
export const messageTypes = ['change', 'request', 'reset', 'clock'] as const satisfies readonly MessageType[];

/** One thing that happened, as a server tells it to who follows. */
export type Message = { [Type in MessageType]: { id: string; type: Type; data: MessageData[Type] } }[MessageType];

/** What happened since a reader was last told: of one moment, or nothing for a while. */
export interface Messages {
  /** What a reader has seen so far, to go on from there. */
  last: string;
  messages: readonly Message[];
}

/** What to follow, and from where. */
export interface FollowInput {
  /** The ID of the last message that the reader knows; what happens from now on when absent. */
  after?: string;
  /** All when absent. */
  types?: readonly MessageType[];
}

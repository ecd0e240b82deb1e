import type { ResourceName } from '../calendar.ts';
import type { ClockState } from './clock.ts';
import type { RequestSummary } from './requests.ts';

/** A change of a record. Moving it to the trash counts as deleted, restoring it as created. */
export interface RecordMessage {
  resource: ResourceName;
  id: number;
  action: 'created' | 'updated' | 'deleted';
}

/**
 * Everything may have changed and has to be read again. `replaced`: by a reset or a restored snapshot. `many`: by one change of many records, or of settings. `missed`: the client asked
 * for messages that are gone, or that are from another start of the server.
 */
export interface ResetMessage {
  reason: 'replaced' | 'many' | 'missed';
}

/** The data of messages by type. */
export interface MessageData {
  change: RecordMessage;
  request: RequestSummary;
  reset: ResetMessage;
  /** The clock was set. */
  clock: ClockState;
}
export type MessageType = keyof MessageData;
export const messageTypes = ['change', 'request', 'reset', 'clock'] as const satisfies readonly MessageType[];

/** A message to clients that follow. */
export type Message = { [Type in MessageType]: { id: string; type: Type; data: MessageData[Type] } }[MessageType];

/** A batch of messages; empty if nothing happened for a while. */
export interface Messages {
  /** ID to continue from. */
  last: string;
  messages: readonly Message[];
}

/** Which messages to follow. */
export interface FollowInput {
  /** ID of the last message received; starts with new messages by default. */
  after?: string;
  /** All types by default. */
  types?: readonly MessageType[];
}

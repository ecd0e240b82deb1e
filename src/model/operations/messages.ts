import type { ResourceName } from '../calendar.ts';
import type { ClockState, JournaledRequest } from '../operation-types.ts';
import { withoutNames } from './requests.ts';

/** A change of a record. Moving it to the trash counts as deleted, restoring it as created. */
export interface RecordMessage {
  /** Resource of the record, like `events`. */
  resource: ResourceName;
  /** ID of the record. */
  id: number;
  /** Kind of change. */
  action: 'created' | 'updated' | 'deleted';
}

/**
 * Everything may have changed and has to be read again. `replaced`: by a reset or a restored snapshot. `many`: by one change of many records, or of settings. `missed`: the client asked
 * for messages that are gone, or that are from another start of the server.
 */
export interface ResetMessage {
  /** Why everything may have changed. */
  reason: 'replaced' | 'many' | 'missed';
}

/** The data of messages by type. */
export interface MessageData {
  /** A record was changed. */
  change: RecordMessage;
  /** A request was handled. */
  request: JournaledRequest;
  /** Everything may have changed. */
  reset: ResetMessage;
  /** The clock was set. */
  clock: ClockState;
}
/** The type of a message. */
export type MessageType = keyof MessageData;
export const messageTypes = ['change', 'request', 'reset', 'clock'] as const satisfies readonly MessageType[];

/** A message to clients that follow. */
export type Message = {
  [Type in MessageType]: {
    /** ID, to continue after this message: `calendar.follow({ after: id })`. */
    id: string;
    /** Type, which `data` depends on. */
    type: Type;
    /** Details, like the resource, ID and action of a change. */
    data: MessageData[Type];
    /** True for a change of a record that visitors can't read. Servers don't send this member. @internal */
    hidden?: boolean;
  };
}[MessageType];

/** Yields messages without names of users. A reset replaces the change of a hidden record, whose ID visitors can't know. */
export async function* publicMessages(all: AsyncIterable<Messages>): AsyncGenerator<Messages, void, undefined> {
  for await (const { last, messages } of all) yield { last, messages: messages.map(publicMessage) };
}

function publicMessage(message: Message): Message {
  if (message.hidden) return { id: message.id, type: 'reset', data: { reason: 'many' } };
  return message.type === 'request' ? { ...message, data: withoutNames(message.data) } : message;
}

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

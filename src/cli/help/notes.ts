import type { Command } from 'commander';

const notes = new WeakMap<Command, string>();

/** Adds a text of several lines below a command's options, in its help and in the manual. */
export function addNote(command: Command, text: string): Command {
  notes.set(command, text);
  return command.addHelpText('after', `\n${text}`);
}

/** What {@link addNote} added; an empty text for most commands. */
export const noteOf = (command: Command): string => notes.get(command) ?? '';

import type { Command } from 'commander';

const notes = new WeakMap<Command, string>();

/** Adds a text below a command's options, in its help and docs/commands.md. */
export function addNote(command: Command, text: string): Command {
  notes.set(command, text);
  return command.addHelpText('after', `\n${text}`);
}

/** Returns the text that {@link addNote} added, or an empty string. */
export const noteOf = (command: Command): string => notes.get(command) ?? '';

// Escape sequences could rewrite the screen; bidirectional overrides could make text look like other text.
const controls = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

/** Replaces control and bidirectional characters with visible signs, except line breaks and tabs. */
export function escapeControls(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(controls, (character) => {
    const code = character.charCodeAt(0);
    if (code === 0x0d) return '\n';
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? '␡' : '�';
  });
}

/** Quotes a text as one word of a shell command, if necessary. */
export const shellWord = (text: string): string => (/^[\w./:@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

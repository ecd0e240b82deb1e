// Escape sequences could restyle, retitle or rewrite the screen; bidirectional overrides could make a text read as another one.
const obeyed = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

/** A text with control and bidirectional characters replaced by visible signs; line breaks and tabs stay. */
export function escapeControls(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(obeyed, (character) => {
    const code = character.charCodeAt(0);
    if (code === 0x0d) return '\n';
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? '␡' : '�';
  });
}

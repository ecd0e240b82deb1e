import { Button, Scrollable } from './controls.tsx';
import { toast } from './toast.tsx';

/** Copies a text to the clipboard. */
export const copyText = (text: string): void =>
  void navigator.clipboard.writeText(text).then(
    () => toast('Copied.'),
    () => toast('Couldn’t copy. The browser denied access to the clipboard.'),
  );

/** A block of text with a Copy button. It can be scrolled with the keyboard. */
export const Code = ({ label, text }: { label: string; text: string }) => (
  <div class="code">
    <Scrollable label={label}>
      <pre>{text}</pre>
    </Scrollable>
    <Button label="Copy" aria-label={`Copy: ${label}`} onClick={() => copyText(text)} />
  </div>
);

/** Indents JSON. Returns other text unchanged. */
export function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

export const Headers = ({ headers }: { headers: readonly (readonly [name: string, value: string])[] }) => (
  <dl class="headers">
    {headers.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

/** An HTTP method. */
export const Method = ({ name }: { name: string }) => <span class={`method method-${name.toLowerCase()}`}>{name}</span>;

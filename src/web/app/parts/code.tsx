import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { trafficAddress } from '../address.ts';
import { context } from '../context.ts';
import { Button, Scrollable } from './controls.tsx';
import { toast } from './toast.tsx';
import './code.css';

/** Copies a text to the clipboard. */
export const copyText = (text: string): void =>
  void navigator.clipboard.writeText(text).then(
    () => toast('Copied.'),
    () => toast('Couldn’t copy. The browser denied access to the clipboard.'),
  );

/** A block of text with a Copy button. It can be scrolled with the keyboard. */
export const Code = ({ label, text }: { label: string; text: string }) => (
  <div class="code">
    <Scrollable class="code-text box" label={label}>
      <pre>{text}</pre>
    </Scrollable>
    <span class="code-copy">
      <Button label="Copy" look="small" aria-label={`Copy: ${label}`} onClick={() => copyText(text)} />
    </span>
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
  <dl class="code-headers">
    {headers.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

/** An HTTP method. */
export const Method = ({ name }: { name: string }) => <span class={`code-method code-method-${name.toLowerCase()}`}>{name}</span>;

/** Number of members that an object or a list shows before it is expanded. */
const maxMembers = 100;

/** The page that a URL in a response links to: a new request for a URL of this API. */
function hrefOf(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return origin === location.origin && pathname.startsWith(context.root) ? trafficAddress({ new: `GET ${pathname}${search}` }) : url;
}

function Leaf({ value }: { value: unknown }): ComponentChildren {
  if (typeof value !== 'string') return <span class="code-word">{String(value)}</span>;
  if (/^https?:\/\/\S+$/.test(value) && URL.canParse(value))
    return (
      <a href={hrefOf(value)} rel="noreferrer">
        {value}
      </a>
    );
  return <>{JSON.stringify(value)}</>;
}

interface NodeProperties {
  name?: string;
  value: unknown;
  isOpen?: boolean;
}

function Node({ name, value, isOpen = false }: NodeProperties) {
  const [open, setOpen] = useState(isOpen);
  const [isWhole, setWhole] = useState(false);
  const label = name !== undefined && <span class="code-name">{name}: </span>;
  if (value === null || typeof value !== 'object' || !Object.keys(value).length)
    return (
      <div class="code-leaf">
        {label}
        {value !== null && typeof value === 'object' ? Array.isArray(value) ? '[]' : '{}' : <Leaf value={value} />}
      </div>
    );
  const members = Object.entries(value);
  const visibleMembers = isWhole ? members : members.slice(0, maxMembers);
  return (
    <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {label}
        <span class="quiet">{Array.isArray(value) ? `[${members.length}]` : `{${members.length}}`}</span>
      </summary>
      {open && (
        <div class="code-members">
          {visibleMembers.map(([key, member]) => (
            <Node key={key} name={key} value={member} isOpen={isOpen && members.length === 1} />
          ))}
          {visibleMembers.length < members.length && (
            <button type="button" class="button small" onClick={() => setWhole(true)}>
              Show all {members.length}
            </button>
          )}
        </div>
      )}
    </details>
  );
}

/** A body: JSON as a collapsible tree with links, or as text. */
export function BodyView({ label, text }: { label: string; text: string }) {
  const [isRaw, setRaw] = useState(false);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return <Code label={label} text={text} />;
  }
  return (
    <div>
      <div class="buttons">
        <Button label="Raw" look="small" aria-pressed={isRaw} onClick={() => setRaw(!isRaw)} />
        {!isRaw && <Button label="Copy" look="small" aria-label={`Copy: ${label}`} onClick={() => copyText(formatJson(text))} />}
      </div>
      {isRaw ? (
        <Code label={label} text={formatJson(text)} />
      ) : (
        <Scrollable class="code-json box" label={label}>
          <Node value={value} isOpen />
        </Scrollable>
      )}
    </div>
  );
}

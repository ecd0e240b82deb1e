import type { ComponentChildren } from 'preact';

/** Says in the middle of the page what is the matter, and what to do about it. */
export const Notice = ({ title, quiet, children }: { title: string; quiet?: boolean; children?: ComponentChildren }) => (
  <div class={`notice${quiet ? ' quiet' : ''}`} role={quiet ? undefined : 'alert'}>
    <p class="notice-title">{title}</p>
    <div>{children}</div>
  </div>
);

import type { ComponentChildren } from 'preact';

/** A message in the middle of the page, with actions. */
export const Notice = ({ title, quiet, children }: { title: string; quiet?: boolean; children?: ComponentChildren }) => (
  <div class={`notice${quiet ? ' quiet' : ''}`} role={quiet ? undefined : 'alert'}>
    <p class="notice-title">{title}</p>
    <div>{children}</div>
  </div>
);

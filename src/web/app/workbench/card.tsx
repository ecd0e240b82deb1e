import type { ComponentChildren } from 'preact';
import type { ApiError } from '../server/api.ts';

interface Properties {
  title: string;
  /** Beside the title. */
  aside?: ComponentChildren;
  failure?: ApiError;
  children: ComponentChildren;
}

/** One part of the workbench, with what went wrong in it. */
export function Card({ title, aside, failure, children }: Properties) {
  const id = `card-${title.toLowerCase()}`;
  return (
    <section class="card" aria-labelledby={id}>
      <div class="card-head">
        <h2 id={id}>{title}</h2>
        {aside}
      </div>
      {children}
      {failure && <Failed failure={failure} />}
    </section>
  );
}

/** What a server says when it refuses, and what can be done about it. */
export const Failed = ({ failure }: { failure: ApiError }) => (
  <p class="error" role="alert">
    {sentence(
      Object.entries(failure.fields)
        .map(([name, what]) => `${name} ${what}`)
        .join('; ') || failure.message,
    )}{' '}
    {failure.hint}
  </p>
);

const sentence = (text: string) => `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;

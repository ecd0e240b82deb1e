import type { ComponentChildren } from 'preact';
import type { ApiError } from '../server/api.ts';

interface Properties {
  title: string;
  /** Shown next to the title. */
  aside?: ComponentChildren;
  failure?: ApiError;
  children: ComponentChildren;
}

/** A card of the workbench, with the error of its last action. */
export function Card({ title, aside, failure, children }: Properties) {
  const id = `card-${title.toLowerCase()}`;
  return (
    <section class="card" aria-labelledby={id}>
      <div class="card-head">
        <h2 id={id}>{title}</h2>
        {aside}
      </div>
      {children}
      {failure && <ErrorMessage error={failure} />}
    </section>
  );
}

/** The messages and the hint of an error response. */
export const ErrorMessage = ({ error }: { error: ApiError }) => (
  <p class="error" role="alert">
    {toSentence(
      Object.entries(error.fields)
        .map(([name, message]) => `${name} ${message}`)
        .join('; ') || error.message,
    )}{' '}
    {error.hint}
  </p>
);

const toSentence = (text: string) => `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;

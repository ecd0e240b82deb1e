import type { ComponentChildren } from 'preact';
import { capitalized } from '../../../model/grammar.ts';
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

/** Returns a text as a sentence. Names such as `program.csv` and `start_date` stay. */
const toSentence = (text: string) => `${/^[a-z]+(?=[\s,;]|$)/.test(text) ? capitalized(text) : text}${/[.!?]$/.test(text) ? '' : '.'}`;

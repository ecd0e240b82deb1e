import { useState } from 'preact/hooks';
import { Code } from '../code.tsx';
import { type ApiRequest, createSamples } from './request.ts';

const languages: Record<string, string> = {
  curl: 'curl',
  fetch: 'JavaScript',
  client: 'TypeScript client',
  python: 'Python',
  php: 'PHP',
  calendar: 'calendar',
};

/** A request in several languages, one of which is shown. */
export function Samples({ request, operationId }: { request: ApiRequest; operationId: string }) {
  const [selected, setSelected] = useState('curl');
  const samples = createSamples(request, undefined, operationId);
  const name = samples[selected] === undefined ? 'curl' : selected;
  return (
    <section class="samples" aria-label="Code samples">
      <h2>Code</h2>
      <fieldset class="views" aria-label="Language">
        {Object.keys(languages)
          .filter((each) => samples[each] !== undefined)
          .map((each) => (
            <button key={each} type="button" aria-pressed={each === name} onClick={() => setSelected(each)}>
              {languages[each]}
            </button>
          ))}
      </fieldset>
      <Code label={`${languages[name]} sample`} text={samples[name]!} />
    </section>
  );
}

import { Description } from './description.tsx';
import { type ApiOperation, type SchemaMember, typeOf } from './document.ts';
import { BodyView } from './json-tree.tsx';

/** The members of an object with their types. */
export const Members = ({ members }: { members: readonly SchemaMember[] }) => (
  <dl class="members">
    {members.map(({ name, required, schema }) => (
      <div key={name}>
        <dt>
          <code>{name}</code> <small>{[required && 'required', typeOf(schema)].filter(Boolean).join(', ')}</small>
        </dt>
        <dd>
          <Description text={schema.description ?? ''} />
        </dd>
      </div>
    ))}
  </dl>
);

/** The responses of an operation by status, with the members and an example of their bodies. */
export const Responses = ({ responses }: Pick<ApiOperation, 'responses'>) => (
  <section class="responses" aria-label="Responses">
    <h2>Responses</h2>
    {responses.map(({ status, description, members, example }) => (
      <details key={status}>
        <summary>
          <code class={`code-${status[0]}`}>{status}</code> <Description text={description} />
        </summary>
        {example !== undefined && <BodyView label={`Example of ${status}`} text={JSON.stringify(example)} />}
        {members.length > 0 && <Members members={members} />}
      </details>
    ))}
  </section>
);

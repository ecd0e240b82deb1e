import { definitions } from '../../definitions.ts';
import { plain } from '../markup.ts';
import type { Post } from '../record.ts';
import { Fact } from './facts.tsx';

/** Maximum number of characters of a value. */
const maxLength = 300;

/** Returns a value as text. Values of other sites are not trusted: nothing in them becomes markup or a link. */
function textOf(value: unknown): string {
  if (value === true || value === false) return value ? 'yes' : 'no';
  const text = typeof value === 'object' ? JSON.stringify(value) : plain(value);
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

const isEmpty = (value: unknown) => value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/** The declared fields of a record, and the members that only another site has. */
export function MoreFields({ resource, record }: { resource: keyof typeof definitions; record: Post }) {
  const { members, fields } = definitions[resource];
  const declared = fields.filter(({ isDeclared }) => isDeclared).map(({ name }) => name);
  const others = Object.keys(record).filter((name) => !members.includes(name) || declared.includes(name));
  const names = others.filter((name) => !isEmpty(record[name]));
  if (!names.length) return null;
  return (
    <Fact icon="tag" name="More fields">
      <dl class="more-fields">
        {names.map((name) => (
          <div key={name}>
            <dt>{name.replaceAll('_', ' ')}</dt>
            <dd>
              <bdi>{textOf(record[name])}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </Fact>
  );
}

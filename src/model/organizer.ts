import * as field from './field.ts';
import { renderContent, renderTitle } from './html.ts';
import { arrangeLinked, linkedFilters } from './linked.ts';
import { globalId, head, isLocked, type Look, permalink, postColumns, veil, withoutEmpty } from './post.ts';
import type { Entry, PostResource, Row } from './resource.ts';
import { personData } from './schema-org.ts';

const optional: Partial<field.Field> = { wire: { type: 'string', default: null } };

/** Organizers: who holds events. */
export const organizer: PostResource = {
  name: 'organizers',
  kind: 'organizer',
  family: 'post',
  about: 'who holds events',
  label: 'organizer',
  search: ['organizer', 'description', 'phone', 'email', 'website'],
  derived: { ...postColumns, slug: { type: 'TEXT' } },
  fields: field.fields({
    author: field.author('the user who wrote it', { type: 'integer', default: null }),
    date: field.date('when it is published', { ...optional, column: { type: 'TEXT' } }),
    date_utc: field.date('when it is published, in UTC', { ...optional, column: { type: 'TEXT' } }),
    organizer: field.title('its name', { required: true, ...optional }),
    description: field.prose('who they are; HTML is allowed', optional),
    status: field.status('publish, draft, pending, private or future', { type: 'string', default: null }),
    phone: field.line('phone number', optional),
    website: field.url('their own page on the web', { type: 'string', default: null }),
    email: field.line('e-mail address', optional),
    image: field.image('a picture: the ID of a kept image, or an image address', { clearable: true }),
    post_password: field.secret('a password that opens its texts'),
  }),
  filters: linkedFilters,
  arrange: arrangeLinked,
};

const details = ['phone', 'website', 'email'];

/** An organizer as the API shows it. The form is the reference's; so is what a password hides. */
export function organizerEntry(row: Row, image: Entry | false, look: Look): Entry {
  const locked = isLocked(row, look);
  const entry: Record<string, unknown> = {
    id: Number(row.id),
    ...head(row),
    url: permalink('organizer', row, look),
    organizer: renderTitle(String(row.organizer)),
    description: renderContent(String(row.description)),
    slug: row.slug,
    image,
  };
  for (const name of details) entry[name] = row[name];
  if (look.single && !locked) entry.json_ld = personData(entry, row);
  return withoutEmpty(entry, locked ? veil(['description', ...details], [], 'organizer') : {}, {
    global_id: globalId(row, look),
    global_id_lineage: [globalId(row, look)],
  });
}

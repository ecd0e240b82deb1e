import type { Entry, ResourceName } from '../../model/calendar.ts';
import { type Extra, type ExtraForm, unknownMembers } from '../../model/fields/extra.ts';
import { embedded } from '../../model/fields/link.ts';
import type { Resources } from '../../model/resources/declared.ts';
import { linkFields } from '../../model/resources/relations.ts';
import type { StoredPair } from '../../store/identity/sites.ts';
import { isEqual } from './pair.ts';

/** The members of a record of a site that this program doesn't know: of the list, and of the record itself. */
export interface CopiedMembers {
  row: StoredPair | undefined;
  listed: Record<string, unknown>;
  single: Record<string, unknown> | undefined;
}

/** Replaces the unknown members of one form. */
export function withForm(extra: Extra, form: ExtraForm, members: Record<string, unknown> | undefined): Extra {
  if (!members) return extra;
  if (Object.keys(members).length) return { ...extra, [form]: members };
  const { [form]: _, ...others } = extra;
  return others;
}

/** Unknown members with those of a copy. Members of a list stay as they are here until the site changes them. */
export function extraWith(before: Extra, { row, listed, single }: CopiedMembers): Extra {
  const isSame = row?.remoteBase?.extra !== undefined && isEqual(row.remoteBase.extra, listed);
  return withForm(withForm(before, 'list', isSame ? undefined : listed), 'single', single);
}

/** Unknown members of a linked record, as a record embeds it. */
export type EmbeddedExtra = { name: ResourceName; id: number; members: Record<string, unknown> };

/** The unknown members of the records that a record embeds. */
export const embeddedExtras = (definitions: Resources, name: ResourceName, entry: Entry): EmbeddedExtra[] =>
  linkFields(name).flatMap(({ name: field, links: to }) =>
    embedded(entry[field]).flatMap((each) => {
      const members = unknownMembers(definitions[to], each);
      return Object.keys(members).length ? [{ name: to, id: Number(each.id), members }] : [];
    }),
  );

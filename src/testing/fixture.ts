import type { ResourceName } from '../model/calendar.ts';
import type { DeclaredFields } from '../model/operation-types.ts';
import type { SettingValues } from '../model/operations/settings.ts';
import type { RecordTypes } from '../model/resources/record-types.ts';
import type { NewUser } from '../model/viewer.ts';

/** Members of a record in a fixture that are not fields. */
interface FixtureMembers {
  /** ID; kept if it is free. */
  id?: number;
  /** Last part of the URL (default: the key). */
  slug?: string;
  /** Globally unique ID. */
  uid?: string;
  /** True to draw a picture with the title of an event, a venue or an organizer. */
  poster?: boolean;
}

/** References to records of the same fixture. */
type FixtureReference = `@${string}` | readonly `@${string}`[];

/** A record in a fixture. A field that links to records takes references like `@town-hall`. */
export type FixtureEntry<Fields> = {
  [Name in keyof Fields]: { id: number } extends Fields[Name] ? Fields[Name] | FixtureReference : Fields[Name];
} & FixtureMembers;

/** Records by key, or a list of them. */
export type FixtureSection<Fields> = Readonly<Record<string, FixtureEntry<Fields>>> | readonly FixtureEntry<Fields>[];

/** Records by resource. */
type FixtureSections = { readonly [Name in ResourceName]?: FixtureSection<RecordTypes[Name]['create']> };

/**
 * The data of a calendar: settings, users, images and records by key, with references like `@town-hall`.
 * @example { venues: { 'town-hall': { venue: 'Town Hall' } }, events: { concert: { title: 'Concert', start_date: 'friday 20:00', end_date: 'friday 22:00', venue: '@town-hall' } } }
 */
export interface FixtureInput extends FixtureSections {
  /** Address of the JSON Schema, for editors. */
  $schema?: string;
  /** Settings like the time zone. */
  settings?: SettingValues;
  /** Fields that the calendar declares, like `{ events: { age_group: { type: 'string', filter: true } } }`. */
  fields?: DeclaredFields;
  /** Users by name, or a list of them. */
  users?: Readonly<Record<string, Omit<NewUser, 'name'>>> | readonly NewUser[];
  /** Addresses of images by key. */
  images?: Readonly<Record<string, string>>;
}

/**
 * Returns a fixture unchanged, with its types checked.
 * @example export default defineFixture({ tags: { free: { name: 'Free' } } });
 */
export const defineFixture = <const Given extends FixtureInput>(fixture: Given): Given => fixture;

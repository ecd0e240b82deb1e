import { zoneHint } from '../../model/did-you-mean.ts';
import { Failure } from '../../model/error.ts';
import { toWholeNumber } from '../../model/fields/coerce.ts';
import { type CurrencySettings, currencyPositions } from '../../model/fields/cost-format.ts';
import type { SettingValues } from '../../model/operations/settings.ts';
import type { Declarations } from '../../model/resources/declared.ts';
import { isSlug, type SiteSlugs, slugNames, slugSetting } from '../../model/site-address.ts';
import { isZone } from '../../model/time/zone.ts';
import type { Database } from '../sqlite/sql.ts';

/** A setting with its default, its description and a check. */
interface Setting {
  default: string;
  about: string;
  fault(value: string): string | undefined;
  hint?(value: string): string | undefined;
  /** True for what is taken from a site that is copied or detected. Exports have it where it differs from the default. */
  isOfSite?: true;
}

const isAddress = (value: string) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol) && !value.endsWith('/');

const positions: readonly string[] = currencyPositions;

const slug = (word: string, about: string) =>
  ({
    default: word,
    about,
    isOfSite: true,
    fault: (value) =>
      isSlug(value) ? undefined : `must be a part of an address such as ${word} or es/${word}, with other letters as in addresses (%c3%bc)`,
  }) as const satisfies Setting;

/** Every setting. Values are stored in the file. */
export const settingKinds = {
  timezone: {
    default: 'UTC',
    about: 'Time zone of the calendar',
    fault: (value) => (isZone(value) ? undefined : 'must be a time zone such as Europe/Paris or UTC+5.5'),
    hint: zoneHint,
  },
  title: { default: 'Calendar', about: 'Title of the calendar', fault: (value) => (value.trim() ? undefined : 'must not be empty') },
  per_page: {
    default: '10',
    about: 'Default number of records per page',
    fault: (value) => ((toWholeNumber(value) ?? 0) >= 1 && Number(value) <= 50 ? undefined : 'must be a whole number from 1 to 50'),
  },
  home: {
    default: 'http://127.0.0.1:8787',
    about: 'Base URL of links when no server is running, and of a server without --public-url',
    fault: (value) => (isAddress(value) ? undefined : 'must be an http or https URL without a trailing slash'),
  },
  radius: {
    default: '40',
    about: 'Search radius around geoloc_lat and geoloc_lng, in kilometers',
    fault: (value) => (Number(value) > 0 && Number(value) < 20_040 ? undefined : 'must be a number of kilometers greater than 0'),
  },
  currency: {
    default: '$',
    isOfSite: true,
    about: 'Sign of prices without one',
    fault: (value) =>
      /^[^\d\s]([^\d]{0,8}[^\d\s])?$/.test(value) ? undefined : 'must be a sign such as € or kr, with at most 10 characters',
  },
  currency_position: {
    default: 'prefix',
    isOfSite: true,
    about: 'Place of this sign: prefix or postfix',
    fault: (value) => (positions.includes(value) ? undefined : `must be ${positions.join(' or ')}`),
  },
  currency_code: {
    default: '',
    isOfSite: true,
    about: 'Code in cost_details of prices with a sign',
    fault: (value) => (/^([A-Z]{3})?$/.test(value) ? undefined : 'must be an ISO 4217 code such as EUR, or empty'),
  },
  events_slug: slug('events', 'Slug of lists of events: /events/'),
  event_slug: slug('event', 'Slug of events: /event/SLUG/'),
  venue_slug: slug('venue', 'Slug of venues: /venue/SLUG/'),
  organizer_slug: slug('organizer', 'Slug of organizers: /organizer/SLUG/'),
  category_slug: slug('category', 'Slug of categories: /events/category/SLUG/'),
  tag_slug: slug('tag', 'Slug of tags: /tag/SLUG/ and /events/tag/SLUG/'),
} as const satisfies Record<keyof SettingValues, Setting>;
export type SettingName = keyof typeof settingKinds;

/** The settings that a site determines besides its title. */
export const settingsOfSite = (Object.keys(settingKinds) as SettingName[]).filter((name) => 'isOfSite' in settingKinds[name]);

/** The row with the declared fields. */
const fieldsRow = 'fields';

/** The settings of a calendar, stored in its file. */
export class Settings {
  readonly #db: Database;
  readonly #overrides: Partial<Record<SettingName, string>>;
  #cached: { version: number; values: ReadonlyMap<string, string> } | undefined;
  #slugs: { values: ReadonlyMap<string, string>; slugs: SiteSlugs } | undefined;
  #declared: { text: string; fields: Declarations } | undefined;
  /** The version before the last change to settings. */
  #changing: number | undefined;

  /** `overrides` take precedence over the file, for as long as this program runs. */
  constructor(db: Database, overrides: Partial<Record<SettingName, string>> = {}) {
    this.#db = db;
    for (const [name, value] of Object.entries(overrides)) if (value !== undefined) check(name, value);
    this.#overrides = overrides;
  }

  get(name: string): string {
    const setting = nameOf(name);
    return this.#overrides[setting] ?? this.#stored().get(setting) ?? settingKinds[setting].default;
  }

  /** The currency of prices without a sign. */
  get currency(): CurrencySettings {
    const [symbol, code, position] = [this.get('currency'), this.get('currency_code'), this.get('currency_position')];
    return { symbol, code, position: position as CurrencySettings['position'] };
  }

  /** The words of addresses. The same object until a setting changes. */
  get slugs(): SiteSlugs {
    const values = this.#stored();
    if (this.#slugs?.values !== values)
      this.#slugs = {
        values,
        slugs: Object.fromEntries(slugNames.map((name) => [name, this.get(slugSetting(name))])) as unknown as SiteSlugs,
      };
    return this.#slugs.slugs;
  }

  /** A setting of the file, regardless of overrides. */
  stored(name: SettingName): string {
    return this.#stored().get(name) ?? settingKinds[name].default;
  }

  /** The values in the file. They are cached per version, except during a change of settings, which may be rolled back. */
  #stored(): ReadonlyMap<string, string> {
    const { version } = this.#db;
    if (this.#cached?.version === version && this.#changing !== version) return this.#cached.values;
    const rows = this.#db.all<{ name: string; value: string }>('select name, value from settings');
    this.#cached = { version, values: new Map(rows.map(({ name, value }) => [name, value])) };
    return this.#cached.values;
  }

  /** The fields that the calendar declares. */
  get fields(): Declarations {
    const text = this.#stored().get(fieldsRow);
    if (text === undefined) return {};
    if (this.#declared?.text !== text) this.#declared = { text, fields: JSON.parse(text) as Declarations };
    return this.#declared.fields;
  }

  /** Stores the declarations of fields. */
  setFields(fields: Declarations): void {
    this.#write(fieldsRow, JSON.stringify(fields));
  }

  list(): { name: SettingName; value: string; about: string }[] {
    return (Object.keys(settingKinds) as SettingName[]).map((name) => ({ name, value: this.get(name), about: settingKinds[name].about }));
  }

  /** Stores a setting of imported data, unless an override has it. */
  import(name: string, value: string | number): void {
    check(name, String(value));
    if (this.#overrides[nameOf(name)] === undefined) this.set(name, value);
  }

  /** Stores a setting of a site that is copied, unless an override or the file has it. */
  adopt(name: string, value: string): void {
    if (!this.#stored().has(name)) this.import(name, value);
  }

  set(name: string, value: string | number): void {
    check(name, String(value));
    this.#write(name, String(value));
  }

  #write(name: string, value: string): void {
    this.#changing = this.#db.version;
    this.#db.run('insert into settings (name, value) values (?, ?) on conflict (name) do update set value = excluded.value', name, value);
  }
}

function nameOf(name: string): SettingName {
  if (Object.hasOwn(settingKinds, name)) return name as SettingName;
  throw new Failure('bad-request', `Unknown setting ${JSON.stringify(name)}`, `Settings are ${Object.keys(settingKinds).join(', ')}.`);
}

function check(name: string, value: string): void {
  const { fault, hint }: Setting = settingKinds[nameOf(name)];
  const reason = fault(value);
  if (reason) throw new Failure('bad-request', `Invalid ${name} ${JSON.stringify(value)}: ${reason}`, hint?.(value));
}

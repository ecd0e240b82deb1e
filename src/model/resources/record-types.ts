// The types of records, from the definitions of the resources. Written by `npm run record-types`; a test says when they are out of date.

/** Where an event, a venue or an organizer stands in its life. */
export type Status = 'publish' | 'future' | 'draft' | 'pending' | 'private' | 'trash' | 'auto-draft' | 'inherit';

/** A record that was read, which its ID stands for. */
type HasId = { id: number | string };

/** What an event costs, taken apart. */
type CostDetails = {
  /** What stands by every number, when it is the same. */
  currency_symbol: string;
  /** ISO 4217. */
  currency_code: string;
  /** Prefix or postfix. */
  currency_position: 'prefix' | 'postfix' | '';
  /** The numbers, ascending. */
  values: string[];
};

/** A picture. */
type Image = {
  /** Its address. */
  url: string;
  /** Its ID. */
  id: number;
  /** How its name ends. */
  extension: string;
};

/** The parts of a moment. */
type DateDetails = {
  /** Digits, zero-padded. */
  year: string;
  /** Digits, zero-padded. */
  month: string;
  /** Digits, zero-padded. */
  day: string;
  /** Digits, zero-padded. */
  hour: string;
  /** Digits, zero-padded. */
  minutes: string;
  /** Digits, zero-padded. */
  seconds: string;
};

/** A category or tag as events show it. */
type EmbeddedTerm = {
  /** Its name. */
  name: string;
  /** The last part of its address. */
  slug: string;
  /** Always 0. */
  term_group: 0;
  /** Its ID. */
  term_taxonomy_id: number;
  /** What kind of term it is. */
  taxonomy: 'calendar_events_cat' | 'post_tag';
  /** What it is for. */
  description: string;
  /** The category it belongs under; 0 for none. */
  parent: number;
  /** How many published events have it. */
  count: number;
  /** Always raw. */
  filter: 'raw';
  /** Its ID. */
  id: number;
  /** Where it stands in this API, all terms of its kind, and the one above it. */
  urls: { self: string; collection: string; up?: string };
};

/** An event as every answer shows it. */
export type EventRecord = {
  /** Its ID. */
  id: number;
  /** Identifies it among calendars. */
  global_id: string;
  /** Its global IDs, the own one first. */
  global_id_lineage: string[];
  /** The user who wrote it. */
  author: string;
  /** Publish, draft, pending, private or future. */
  status: Status;
  /** When it is published. */
  date: string;
  /** When it is published, in UTC. */
  date_utc: string;
  /** When it was changed last, in the calendar's zone. */
  modified: string;
  /** When it was changed last, in UTC. */
  modified_utc: string;
  /** Its page. */
  url: string;
  /** Its address in this API. */
  rest_url: string;
  /** Its title. */
  title: string;
  /** What it is about; HTML is allowed. */
  description: string;
  /** A short description. */
  excerpt: string;
  /** The last part of its address. */
  slug: string;
  /** Its picture, false where it has none. */
  image: Image | false;
  /** Lasts the whole day. */
  all_day: boolean | null;
  /** YYYY-MM-DD HH:MM:SS. */
  start_date: string;
  start_date_details: DateDetails;
  /** YYYY-MM-DD HH:MM:SS. */
  end_date: string;
  end_date_details: DateDetails;
  /** YYYY-MM-DD HH:MM:SS. */
  utc_start_date: string;
  utc_start_date_details: DateDetails;
  /** YYYY-MM-DD HH:MM:SS. */
  utc_end_date: string;
  utc_end_date_details: DateDetails;
  /** The zone its dates are in, like Europe/Paris or UTC+5.5. */
  timezone: string;
  /** Letters of the zone at the start. */
  timezone_abbr: string;
  /** As people read it. */
  cost: string;
  cost_details: CostDetails;
  /** Its own page on the web. */
  website: string;
  /** Show a map. */
  show_map: boolean | null;
  /** Show a link to a map. */
  show_map_link: boolean | null;
  /** Leave it out of lists. */
  hide_from_listings: boolean | null;
  /** Keep it in front in calendar views. */
  sticky: boolean | null;
  /** Mark it as featured. */
  featured: boolean | null;
  /** Its categories. */
  categories: EmbeddedTerm[];
  /** Its tags. */
  tags: EmbeddedTerm[];
  /** Where it takes place: one venue as an object, none or several as a list. */
  venue: VenueRecord | VenueRecord[];
  /** Its organizers. */
  organizer: OrganizerRecord[];
  /** Always empty. */
  custom_fields: never[];
  /** Schema.org data, in reads of one record. */
  json_ld?: Record<string, unknown>;
};

/** What makes an event. */
export type NewEvent = {
  /** The user who wrote it. */
  author?: number | string;
  /** When it is published. */
  date?: string;
  /** When it is published, in UTC. */
  date_utc?: string;
  /** Its title. */
  title: string;
  /** What it is about; HTML is allowed. */
  description?: string;
  /** The last part of its address. */
  slug?: string;
  /** A short description. */
  excerpt?: string;
  /** Publish, draft, pending, private or future. */
  status?: Status;
  /** The zone its dates are in, like Europe/Paris or UTC+5.5. */
  timezone?: string;
  /** Lasts the whole day. */
  all_day?: boolean;
  /** When it starts. */
  start_date: string;
  /** When it ends. */
  end_date: string;
  /** A picture: the ID of a kept image, or an image address. */
  image?: string | HasId;
  /** What it costs, like 10, $5-$15 or Free. */
  cost?: string | number | null | (string | number)[];
  /** Its own page on the web. */
  website?: string | null;
  /** Show a map. */
  show_map?: boolean;
  /** Show a link to a map. */
  show_map_link?: boolean;
  /** Leave it out of lists. */
  hide_from_listings?: boolean;
  /** Keep it in front in calendar views. */
  sticky?: boolean;
  /** Mark it as featured. */
  featured?: boolean;
  /** Its categories, by ID, slug or name; new names are made. */
  categories?: number | string | null | HasId | (number | string | HasId)[];
  /** Its tags, by ID, slug or name; new names are made. */
  tags?: number | string | null | HasId | (number | string | HasId)[];
  /** Where it takes place: the ID of a venue, or a new venue. */
  venue?: number | string | null | HasId | NewVenue | (number | string | HasId | NewVenue)[];
  /** Who organizes it: IDs of organizers, or new ones. */
  organizer?: number | string | null | HasId | NewOrganizer | (number | string | HasId | NewOrganizer)[];
  /** A password that opens its texts. */
  post_password?: string;
  /** The event it belongs under. */
  post_parent?: number | string;
  /** Has tickets. */
  ticketed?: boolean;
};

/** What changes an event; what is left out stays. */
export type EventChanges = Partial<NewEvent>;

/** Which events a list shows, and how. */
export type EventParameters = {
  /** Which page to show, from 1. */
  page?: number;
  /** How many to show on a page, 50 at the most. */
  per_page?: number;
  /** Starts on this day or later. */
  start_date?: string;
  /** Ends on this day or earlier. */
  end_date?: string;
  /** Starts on this day or earlier. */
  starts_before?: string;
  /** Starts later than this day. */
  starts_after?: string;
  /** Ends on this day or earlier. */
  ends_before?: string;
  /** Ends later than this day. */
  ends_after?: string;
  /** Take the times of dates exactly, not their whole days. */
  strict_dates?: boolean | string;
  /** Words that occur in title, description or excerpt; "a phrase", -without. */
  search?: string;
  /** In one of these categories. */
  categories?: number | string | (number | string)[];
  /** With one of these tags. */
  tags?: number | string | (number | string)[];
  /** At one of these venues. */
  venue?: number | number[];
  /** By one of these organizers. */
  organizer?: number | number[];
  /** Featured, or not. */
  featured?: boolean;
  /** With one of these statuses. */
  status?: Status | 'any' | (Status | 'any')[];
  /** At a venue with coordinates, or not. */
  geoloc?: boolean;
  /** Degrees north of a place to be near to. */
  geoloc_lat?: number;
  /** Degrees east of a place to be near to. */
  geoloc_lng?: number;
  /** Only these; dates are then ignored. */
  include?: number | number[];
  /** Under this event. */
  post_parent?: number;
  /** With tickets, or without. */
  ticketed?: boolean;
  /** Opens a record that has a password. */
  password?: string;
  /** Edit opens records that have a password to those who may change them. */
  context?: 'view' | 'edit';
};

/** A venue as every answer shows it. */
export type VenueRecord = {
  /** Its ID. */
  id: number;
  /** The user who wrote it. */
  author: string;
  /** Publish, draft, pending, private or future. */
  status: Status;
  /** When it is published. */
  date: string;
  /** When it is published, in UTC. */
  date_utc: string;
  /** When it was changed last, in the calendar's zone. */
  modified: string;
  /** When it was changed last, in UTC. */
  modified_utc: string;
  /** Its page. */
  url: string;
  venue?: string | never[];
  /** What it is like; HTML is allowed. */
  description?: string;
  /** The last part of its address. */
  slug?: string;
  /** Its picture, false where it has none. */
  image?: Image | false;
  /** Street and number. */
  address?: string;
  /** City. */
  city?: string;
  /** Country. */
  country?: string;
  /** Province. */
  province?: string;
  /** State. */
  state?: string;
  /** Postal code. */
  zip?: string;
  /** Phone number. */
  phone?: string;
  /** Its own page on the web. */
  website?: string;
  /** State or province, whichever the country has. */
  stateprovince?: string;
  /** Degrees north. */
  geo_lat?: number;
  /** Degrees east. */
  geo_lng?: number;
  /** Schema.org data, in reads of one record. */
  json_ld?: Record<string, unknown>;
  /** Events here show a map. */
  show_map: boolean | null;
  /** Events here link to a map. */
  show_map_link: boolean | null;
  /** Identifies it among calendars. */
  global_id: string;
  /** Its global IDs, the own one first. */
  global_id_lineage: string[];
};

/** What makes a venue. */
export type NewVenue = {
  /** The user who wrote it. */
  author?: number | string;
  /** When it is published. */
  date?: string;
  /** When it is published, in UTC. */
  date_utc?: string;
  /** Its name. */
  venue: string;
  /** What it is like; HTML is allowed. */
  description?: string | null;
  /** Publish, draft, pending, private or future. */
  status?: Status;
  /** Events here show a map. */
  show_map?: string | null;
  /** Events here link to a map. */
  show_map_link?: string | null;
  /** Street and number. */
  address?: string | null;
  /** City. */
  city?: string | null;
  /** Country. */
  country?: string | null;
  /** Province. */
  province?: string | null;
  /** State. */
  state?: string | null;
  /** Postal code. */
  zip?: string | null;
  /** Phone number. */
  phone?: string | null;
  /** State or province, whichever the country has. */
  stateprovince?: string | null;
  /** Its own page on the web. */
  website?: string | null;
  /** A picture: the ID of a kept image, or an image address. */
  image?: string | HasId;
  /** A password that opens its texts. */
  post_password?: string;
  /** Degrees north. */
  geo_lat?: number | string | null;
  /** Degrees east. */
  geo_lng?: number | string | null;
};

/** What changes a venue; what is left out stays. */
export type VenueChanges = Partial<NewVenue>;

/** Which venues a list shows, and how. */
export type VenueParameters = {
  /** Which page to show, from 1. */
  page?: number;
  /** How many to show on a page, 50 at the most. */
  per_page?: number;
  /** Words that occur together in its name, texts or details. */
  search?: string;
  /** Linked to this event. */
  event?: number;
  /** Linked to any event, or to none. */
  has_events?: boolean | string;
  /** Linked to an event yet to start. */
  only_with_upcoming?: boolean | string;
  /** With one of these statuses. */
  status?: Status | 'any' | (Status | 'any')[];
  /** Opens a record that has a password. */
  password?: string;
  /** Edit opens records that have a password to those who may change them. */
  context?: 'view' | 'edit';
};

/** An organizer as every answer shows it. */
export type OrganizerRecord = {
  /** Its ID. */
  id: number;
  /** The user who wrote it. */
  author: string;
  /** Publish, draft, pending, private or future. */
  status: Status;
  /** When it is published. */
  date: string;
  /** When it is published, in UTC. */
  date_utc: string;
  /** When it was changed last, in the calendar's zone. */
  modified: string;
  /** When it was changed last, in UTC. */
  modified_utc: string;
  /** Its page. */
  url: string;
  organizer?: string | never[];
  /** Who they are; HTML is allowed. */
  description?: string;
  /** The last part of its address. */
  slug?: string;
  /** Its picture, false where it has none. */
  image?: Image | false;
  /** Phone number. */
  phone?: string;
  /** Their own page on the web. */
  website?: string;
  /** E-mail address. */
  email?: string;
  /** Schema.org data, in reads of one record. */
  json_ld?: Record<string, unknown>;
  /** Identifies it among calendars. */
  global_id: string;
  /** Its global IDs, the own one first. */
  global_id_lineage: string[];
};

/** What makes an organizer. */
export type NewOrganizer = {
  /** The user who wrote it. */
  author?: number | string | null;
  /** When it is published. */
  date?: string | null;
  /** When it is published, in UTC. */
  date_utc?: string | null;
  /** Its name. */
  organizer: string;
  /** Who they are; HTML is allowed. */
  description?: string | null;
  /** Publish, draft, pending, private or future. */
  status?: Status | null;
  /** Phone number. */
  phone?: string | null;
  /** Their own page on the web. */
  website?: string | null;
  /** E-mail address. */
  email?: string | null;
  /** A picture: the ID of a kept image, or an image address. */
  image?: string | HasId;
  /** A password that opens its texts. */
  post_password?: string;
};

/** What changes an organizer; what is left out stays. */
export type OrganizerChanges = Partial<NewOrganizer>;

/** Which organizers a list shows, and how. */
export type OrganizerParameters = {
  /** Which page to show, from 1. */
  page?: number;
  /** How many to show on a page, 50 at the most. */
  per_page?: number;
  /** Words that occur together in its name, texts or details. */
  search?: string;
  /** Linked to this event. */
  event?: number;
  /** Linked to any event, or to none. */
  has_events?: boolean | string;
  /** Linked to an event yet to start. */
  only_with_upcoming?: boolean | string;
  /** With one of these statuses. */
  status?: Status | 'any' | (Status | 'any')[];
  /** Opens a record that has a password. */
  password?: string;
  /** Edit opens records that have a password to those who may change them. */
  context?: 'view' | 'edit';
};

/** A category as every answer shows it. */
export type CategoryRecord = {
  /** Its ID. */
  id: number;
  /** How many published events have it. */
  count: number;
  /** What it is for. */
  description: string;
  /** Its name. */
  name: string;
  /** The last part of its address. */
  slug: string;
  /** What kind of term it is. */
  taxonomy: string;
  /** The category it belongs under. */
  parent: number;
  /** Always empty. */
  meta: never[];
  /** Its page. */
  url: string;
  /** Where it stands in this API, all terms of its kind, and the one above it. */
  urls: { self: string; collection: string; up?: string };
};

/** What makes a category. */
export type NewCategory = {
  /** Its name. */
  name: string;
  /** What it is for. */
  description?: string;
  /** The last part of its address. */
  slug?: string;
  /** The category it belongs under. */
  parent?: number | string;
};

/** What changes a category; what is left out stays. */
export type CategoryChanges = Partial<NewCategory>;

/** Which categories a list shows, and how. */
export type CategoryParameters = {
  /** Which page to show, from 1. */
  page?: number;
  /** How many to show on a page, 50 at the most. */
  per_page?: number;
  /** Text that occurs in its name or slug. */
  search?: string;
  /** Not these. */
  exclude?: number | string | (number | string)[];
  /** Only these. */
  include?: number | string | (number | string)[];
  /** Asc or desc. */
  order?: string;
  /** What to sort by. */
  orderby?: string;
  /** Leave out those that no published event has. */
  hide_empty?: boolean;
  /** Directly below this category. */
  parent?: number;
  /** Those of this event. */
  post?: number;
  /** Those of this event. */
  event?: number;
  /** With exactly this slug. */
  slug?: string;
};

/** A tag as every answer shows it. */
export type TagRecord = {
  /** Its ID. */
  id: number;
  /** How many published events have it. */
  count: number;
  /** What it is for. */
  description: string;
  /** Its name. */
  name: string;
  /** The last part of its address. */
  slug: string;
  /** What kind of term it is. */
  taxonomy: string;
  /** Always empty. */
  meta: never[];
  /** Its page. */
  url: string;
  /** Where it stands in this API, all terms of its kind, and the one above it. */
  urls: { self: string; collection: string; up?: string };
};

/** What makes a tag. */
export type NewTag = {
  /** Its name. */
  name: string;
  /** What it is for. */
  description?: string;
  /** The last part of its address. */
  slug?: string;
};

/** What changes a tag; what is left out stays. */
export type TagChanges = Partial<NewTag>;

/** Which tags a list shows, and how. */
export type TagParameters = {
  /** Which page to show, from 1. */
  page?: number;
  /** How many to show on a page, 50 at the most. */
  per_page?: number;
  /** Text that occurs in its name or slug. */
  search?: string;
  /** Not these. */
  exclude?: number | string | (number | string)[];
  /** Only these. */
  include?: number | string | (number | string)[];
  /** Asc or desc. */
  order?: string;
  /** What to sort by. */
  orderby?: string;
  /** Leave out those that no published event has. */
  hide_empty?: boolean;
  /** Those of this event. */
  post?: number;
  /** Those of this event. */
  event?: number;
  /** With exactly this slug. */
  slug?: string;
};

/** The types of each resource: a record, what makes one, what changes one, what a list takes. */
export interface RecordTypes {
  events: { record: EventRecord; create: NewEvent; update: EventChanges; list: EventParameters };
  venues: { record: VenueRecord; create: NewVenue; update: VenueChanges; list: VenueParameters };
  organizers: { record: OrganizerRecord; create: NewOrganizer; update: OrganizerChanges; list: OrganizerParameters };
  categories: { record: CategoryRecord; create: NewCategory; update: CategoryChanges; list: CategoryParameters };
  tags: { record: TagRecord; create: NewTag; update: TagChanges; list: TagParameters };
}

/** A mistake of a client that the API accepts. */
export interface MistakeRow {
  /** `form`: it depends on the request, and on what its caller may read. `conduct`: it depends on the calendar or on other requests. */
  kind: 'form' | 'conduct';
  /** The mistake, for the docs. */
  when: string;
  /** Advice for the docs. */
  right: string;
  /** Tells a person what happened and what to do. A reason of form follows the name of a parameter or a field. */
  text(...parts: string[]): string;
  /** True for one that is only known after the request was handled: a strict server can't reject it. */
  isLate?: true;
  /** The option of a server that turns the rule off. */
  allowedBy?: 'anonymous' | 'partialUpdates';
}

/** Every mistake of a client that is reported although the request succeeds. */
export const mistakes = {
  'unknown-name': {
    kind: 'form',
    when: 'A parameter or a field has a name that the route does not know',
    right: 'Use the name in the hint',
    text: (what, name, suggestion) => `Ignored unknown ${what} ${name}. ${suggestion}`.trimEnd(),
  },
  'repeated-parameter': {
    kind: 'form',
    when: 'A query repeats a parameter',
    right: 'Separate several values with commas',
    text: (name) => `Only the last value of ${name} is used. Separate several values with commas: ${name}=a,b`,
  },
  'ignored-body': {
    kind: 'form',
    when: 'A body has a Content-Type that is not read, or is JSON that is sent as a form',
    right: 'Send `application/json`',
    text: (type) =>
      type === 'form'
        ? 'The body is read as a form, but looks like JSON. Send it with Content-Type: application/json'
        : `Ignored the body, because its Content-Type is ${type}. Use application/json or application/x-www-form-urlencoded`,
  },
  'ignored-zone': {
    kind: 'form',
    when: 'A local date of a write has an offset, `Z` or the name of a zone, or is a timestamp, and means another time in the zone of the event; or one of a filter means another day in the zone of the calendar than in UTC',
    right: 'Send the local time without an offset',
    text: (sent, used, zone, day?: string) =>
      day === undefined
        ? `${sent} has an offset or a zone, which is ignored: ${used} is stored, in ${zone}. Send the local time of that zone, without an offset`
        : `${sent} is on ${used} in UTC, which is the day that is used, and on ${day} in ${zone}. Send the local day, without an offset`,
  },
  'two-readings': {
    kind: 'form',
    when: 'The day and the month of a date can be exchanged: `03/05/2027`',
    right: 'Send `YYYY-MM-DD`',
    text: (sent, stored, other) => `${sent} can be ${stored} or ${other}, and ${stored} is used. Send YYYY-MM-DD`,
  },
  'missing-day': {
    kind: 'form',
    when: 'A date names a day that does not exist: `2027-02-30`',
    right: 'Send a day that exists',
    text: (sent, day, used) => `${sent} names the day ${day}, which does not exist: ${used} is used`,
  },
  'missing-time': {
    kind: 'form',
    when: 'A local time is skipped when clocks change: `2027-03-28 02:30` in Berlin',
    right: 'Send a time that exists in the zone',
    text: (sent, zone, stored) => `${sent} does not exist in ${zone}, where clocks change then: ${stored} is stored`,
  },
  'early-end': {
    kind: 'form',
    when: 'A request has a start and an end before it, as dates of an event or of a filter',
    right: 'Send an end that is not before the start',
    text: (end, start, name?: string) =>
      name === undefined
        ? `${end} is before the start ${start}, which is stored as the end too`
        : `${end} is before ${start} of ${name}, so that no event is between them`,
  },
  'lost-cost': {
    kind: 'form',
    when: 'A cost is an object, or an amount with a separator of thousands: `{"value":5}`, `1.250,00 €`',
    right: 'Send a number, or a text whose amounts have at most one separator',
    text: (sent, amounts) =>
      amounts === ''
        ? `${sent} is not a text or a number, and is left out`
        : `${sent} is read as the amounts ${amounts}. Send them without separators of thousands`,
  },
  'page-size': {
    kind: 'form',
    when: '`per_page` is larger than a page can be',
    right: 'Read the following pages',
    text: (sent, limit) => `is ${sent}, but a page has at most ${limit} records. Read further pages with page`,
  },
  'no-order': {
    kind: 'form',
    when: '`orderby` or `order` for a list with a fixed order',
    right: 'Sort the records in the client',
    text: (resource) => `has no effect: the order of ${resource} is fixed`,
  },
  'unknown-term': {
    kind: 'form',
    when: 'The ID of a category or a tag that does not exist',
    right: 'Send the ID, the slug or the name of one',
    text: (sent, kind) => `has ${sent}, which is not the ID of a ${kind} and is left out`,
  },
  'whole-record': {
    kind: 'form',
    when: 'An image, a category or a tag is sent as it is in a response: an object, or `false` for no image',
    right: 'Send IDs, and leave out an image that is `false`',
    text: (sent) => `has ${sent} as a response does, which a site rejects or reads otherwise. Send IDs`,
  },
  'other-id': {
    kind: 'form',
    when: 'The `id` in a body is not that of the record in the path',
    right: 'Send the ID of the record, or none',
    text: (sent, id) => `is ${sent}, but the path names the record ${id}, which is changed`,
  },
  'no-member': {
    kind: 'form',
    when: '`_fields` selects what the response does not have',
    right: 'Select members of the response',
    text: (problem) => problem,
    isLate: true,
  },
  'no-credentials': {
    kind: 'conduct',
    when: 'A write, an upload, `users/me` or a response with what visitors do not see, without credentials on a calendar without users',
    right: 'Send credentials, and test with users',
    text: () => 'A site answers 401 to this without credentials. Add users, or allow it with --anonymous',
    allowedBy: 'anonymous',
  },
  'partial-update': {
    kind: 'conduct',
    when: 'An update leaves out a field that has a value and that a site resets',
    right: 'Send these fields too, with the values that writes take',
    text: (names, resource) =>
      `An update of ${resource} leaves out ${names}, which a site resets. Send these too, or allow it with --partial-updates`,
    allowedBy: 'partialUpdates',
  },
  'single-date': {
    kind: 'conduct',
    when: 'An update has a start without an end, or an end without a start',
    right: 'Send both dates',
    text: (name, other) =>
      `An update with ${name} and without ${other} changes no date on a site. Send both, or allow it with --partial-updates`,
    allowedBy: 'partialUpdates',
  },
  'empty-venue': {
    kind: 'conduct',
    when: 'An update removes the venue of an event with an empty one',
    right: 'Set another venue: a site keeps it otherwise',
    text: (name) => `An empty ${name} removes it here, and is ignored on a site`,
  },
  'early-retry': {
    kind: 'conduct',
    when: 'A client repeats a request three times before its `Retry-After` is over',
    right: 'Wait as long as the header says',
    text: (seconds) => `The request was repeated three times within the ${seconds} s of its Retry-After. Wait that long`,
  },
  'double-create': {
    kind: 'conduct',
    when: 'Two equal `POST`s create two records, and the second was sent before the first was answered',
    right: 'Disable the button until the response is there',
    text: (one, other) => `Two equal requests at the same time created the records ${one} and ${other}. Send one at a time`,
  },
} as const satisfies Record<string, MistakeRow>;

/** Name of a mistake of a client. */
export type MistakeName = keyof typeof mistakes;

/** A mistake in a request, for people. */
export interface Mistake {
  /** Name of the rule. */
  rule: MistakeName;
  /** The sentence about it. */
  text: string;
}

/** A mistake of form: a doubt about the value of one parameter or field, as a phrase that follows its name. */
export interface Doubt {
  rule: MistakeName;
  reason: string;
}

type Parts<Name extends MistakeName> = Parameters<(typeof mistakes)[Name]['text']>;

export const mistakeText = <Name extends MistakeName>(rule: Name, ...parts: Parts<Name>): string =>
  (mistakes[rule] as MistakeRow).text(...(parts as string[]));

export const doubt = <Name extends MistakeName>(rule: Name, ...parts: Parts<Name>): Doubt => ({
  rule,
  reason: mistakeText(rule, ...parts),
});

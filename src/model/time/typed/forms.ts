/** A form of a date that people type. */
interface DateForm {
  /** Texts in this form. */
  examples: readonly [string, ...string[]];
  /** The meaning of the form, unless its examples say it. */
  about?: string;
}

/** The forms of dates that people type, as `calendar help dates` prints them. All other forms are those of `strtotime`. */
export const dateForms: readonly DateForm[] = [
  { examples: ['2027-03-01 10:00'], about: 'Date and time, in the zone of the event or the calendar' },
  { examples: ['2027-03-01T10:00:00Z'], about: 'ISO 8601; with an offset, an instant' },
  { examples: ['tomorrow 9am', 'next friday', '+2 weeks', 'last day of february 2027 noon', 'first monday of january 2027'] },
  { examples: ['in 2 hours', 'in an hour and 30 minutes', '2 weeks from now', 'friday at 20:00'] },
  { examples: ['24.12.26', '24.12. 20 Uhr', 'Fri 04.12.2026', '4 December 2026', '24/12/2026'] },
  { examples: ['4. Dezember 2026', 'amanhã 20h'], about: 'In German, French, Spanish, Italian, Dutch and Portuguese too' },
  { examples: ['19h30', '19.30', '19.30 Uhr', '7.30pm'] },
  { examples: ['1803896400'], about: 'Unix timestamp' },
];

/** A reason to reject texts that `strtotime` accepts, with examples. */
export const rejectedForms: readonly { examples: readonly string[]; about: string }[] = [
  { examples: ['5.12'], about: 'a day or a time: write 5.12. for the day and 5:12 for the time' },
  { examples: ['05/06/2027'], about: 'one day in America and another elsewhere' },
  { examples: ['19:00-21:00'], about: 'a range of times' },
  { examples: ['2027'], about: 'a number of fewer than 9 digits other than 20270301' },
  { examples: ['Sat 04.12.2026'], about: 'a weekday that does not fit its date' },
];

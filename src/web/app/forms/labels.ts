import { capitalized } from '../../../model/grammar.ts';
import type { FieldDefinition } from '../../definition.ts';

const labels: Record<string, string> = {
  start_date: 'Starts',
  end_date: 'Ends',
  all_day: 'All day',
  timezone: 'Time zone',
  organizer: 'Organizers',
  zip: 'Postal code',
  date: 'Published',
  date_utc: 'Published (UTC)',
  stateprovince: 'State or province',
  geo_lat: 'Latitude',
  geo_lng: 'Longitude',
  post_password: 'Password',
  post_parent: 'Parent event',
  parent: 'Parent category',
};

const fieldsWithoutHint = new Set([
  'title',
  'start_date',
  'end_date',
  'all_day',
  'timezone',
  'address',
  'city',
  'zip',
  'country',
  'phone',
  'email',
]);

/** Returns whether the label of a field explains it without a hint. */
export const isSelfExplanatory = ({ name, control }: FieldDefinition) => /^(records?|terms)$/.test(control) || fieldsWithoutHint.has(name);

/** Returns the label of a field. */
export const labelOf = (name: string, label: string) =>
  name === label ? (name === 'title' ? 'Title' : 'Name') : (labels[name] ?? capitalized(name).replaceAll('_', ' '));

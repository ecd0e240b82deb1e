import { WINDOWS_TO_IANA_MAP } from 'windows-iana';
import { isZone, offsetAt, offsetOf, zoneOf } from '../time/zone.ts';

/** Display names of Windows time zones without cities, with their Windows names without `Standard Time`. */
// biome-ignore format: a table
const displayNames: Record<string, string> = {
  alaska: 'Alaskan', 'aleutian islands': 'Aleutian', arizona: 'US Mountain', 'atlantic time (canada)': 'Atlantic',
  'baja california': 'Pacific Standard Time (Mexico)', brasilia: 'E. South America', 'cabo verde is.': 'Cape Verde',
  'cape verde is.': 'Cape Verde', 'cape verde islands': 'Cape Verde', 'central time (us & canada)': 'Central',
  'coordinated universal time': 'UTC', 'eastern time (us & canada)': 'Eastern', georgetown: 'SA Eastern',
  'greenwich mean time : dublin, edinburgh, lisbon, london': 'GMT', hawaii: 'Hawaiian', 'indiana (east)': 'US Eastern',
  'international date line west': 'Dateline', jerusalem: 'Israel', 'kiritimati island': 'Line Islands',
  'lord howe island': 'Lord Howe', 'marquesas islands': 'Marquesas', 'mid-atlantic': 'UTC-02',
  'mountain time (us & canada)': 'Mountain', 'norfolk island': 'Norfolk', "nuku'alofa": 'Tonga',
  'pacific time (us & canada)': 'Pacific', 'petropavlovsk-kamchatsky': 'Russia Time Zone 11', 'port louis': 'Mauritius',
  saskatchewan: 'Canada Central', 'solomon is., new caledonia': 'Central Pacific', 'sri jayawardenepura': 'Sri Lanka',
  'west central africa': 'W. Central Africa', 'yangon (rangoon)': 'Myanmar',
};

const key = (name: string) => name.toLowerCase().replace(/\s+(standard|daylight) time$/, '');
let byName: Map<string, string> | undefined;

/** Returns the time zone of a Windows name, with or without `Standard Time`. */
function windowsZone(name: string): string | undefined {
  byName ??= new Map(
    WINDOWS_TO_IANA_MAP.filter(({ territory }) => territory === '001').map(({ windowsName, iana }) => [key(windowsName), iana[0]]),
  );
  // The library still contains Chihuahua, which left that zone in 2022.
  if (key(name) === 'mountain standard time (mexico)') return 'America/Mazatlan';
  return byName.get(key(name));
}

const continents = ['Europe', 'America', 'Asia', 'Africa', 'Australia', 'Pacific', 'Atlantic', 'Indian'];

/** Returns the time zone of a Windows display name such as `(UTC+01:00) Amsterdam, Berlin, Rome`, by name or by a city with that offset. */
function zoneByDisplayName(offset: string, words: string): string | undefined {
  const [place = ''] = words.replace(' and Canada', ' & Canada').split(/;| - (?:New|Old)$/);
  const manual = /^Coordinated Universal Time([+-]\d+)$/i.exec(place);
  const name = manual ? `UTC${manual[1]}` : displayNames[place.toLowerCase()];
  if (name) return windowsZone(name);
  const seconds = offset === '' ? 0 : offsetOf(offset.replace('.', ':'));
  const zones = place.split(/[,/:]/).flatMap((city) => continents.map((continent) => `${continent}/${city.trim().replaceAll(' ', '_')}`));
  const candidates = zones.filter(isZone);
  return candidates.find((zone) => standardOffset(zone) === seconds) ?? (candidates.length === 1 ? candidates[0] : windowsZone(place));
}

/** Returns the UTC offset of standard time, in seconds. */
function standardOffset(name: string): number {
  const zone = zoneOf(name)!;
  return Math.min(offsetAt(zone, Date.UTC(2025, 0)), offsetAt(zone, Date.UTC(2025, 6)));
}

const maxNameLength = 200;

/**
 * Returns the time zone of a TZID: an IANA name, also after a path like `/example.org/2007/Europe/Berlin`, a Windows name or display name, or a UTC offset. Returns
 * undefined for an unknown name.
 */
export function zoneNamed(tzid: string): string | undefined {
  const name = tzid.trim().replace(/^"|"$/g, '');
  if (name.length > maxNameLength) return undefined;
  if (/^(?:Z|GMT|Etc\/(?:UTC|GMT))$/i.test(name)) return 'UTC';
  if ((name.includes('/') || name.startsWith('UTC')) && isZone(name)) return name;
  const path = /\/((?:[A-Za-z]+\/)?[A-Za-z]+\/[A-Za-z_+-]+\d*)$/.exec(name);
  for (let part = path?.[1]; part; part = part.includes('/') ? part.slice(part.indexOf('/') + 1) : '')
    if (part.includes('/') && isZone(part)) return part;
  const [, offset, words] = /^\((?:UTC|GMT)([+-]\d\d[:.]\d\d)?\)\s*(.+)$/i.exec(name) ?? [];
  const zone = words ? zoneByDisplayName(offset ?? '', words) : (windowsZone(name) ?? windowsZone(displayNames[name.toLowerCase()] ?? ''));
  return zone?.replace('Etc/UTC', 'UTC') ?? (isZone(name) ? name : undefined);
}

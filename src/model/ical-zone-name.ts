import { isZone } from './time.ts';

/** Zones by the names of another system (CLDR, windowsZones, territory 001): the zone, and the names it goes by without `Standard Time`. */
const foreign = `
Etc/GMT+12|Dateline
Etc/GMT+11|UTC-11
America/Adak|Aleutian
Pacific/Honolulu|Hawaiian
Pacific/Marquesas|Marquesas
America/Anchorage|Alaskan
Etc/GMT+9|UTC-09
America/Tijuana|Pacific Standard Time (Mexico)
Etc/GMT+8|UTC-08
America/Los_Angeles|Pacific|Pacific Time (US & Canada)
America/Phoenix|US Mountain
America/Mazatlan|Mountain Standard Time (Mexico)
America/Denver|Mountain|Mountain Time (US & Canada)
America/Whitehorse|Yukon
America/Guatemala|Central America
America/Chicago|Central|Central Time (US & Canada)
Pacific/Easter|Easter Island
America/Mexico_City|Central Standard Time (Mexico)
America/Regina|Canada Central
America/Bogota|SA Pacific
America/Cancun|Eastern Standard Time (Mexico)
America/New_York|Eastern|Eastern Time (US & Canada)
America/Port-au-Prince|Haiti
America/Havana|Cuba
America/Indianapolis|US Eastern
America/Grand_Turk|Turks And Caicos
America/Asuncion|Paraguay
America/Halifax|Atlantic|Atlantic Time (Canada)
America/Caracas|Venezuela
America/Cuiaba|Central Brazilian
America/La_Paz|SA Western
America/Santiago|Pacific SA
America/St_Johns|Newfoundland
America/Araguaina|Tocantins
America/Sao_Paulo|E. South America
America/Cayenne|SA Eastern
America/Buenos_Aires|Argentina
America/Godthab|Greenland
America/Montevideo|Montevideo
America/Punta_Arenas|Magallanes
America/Miquelon|Saint Pierre
America/Bahia|Bahia
Etc/GMT+2|UTC-02|Mid-Atlantic
Atlantic/Azores|Azores
Atlantic/Cape_Verde|Cape Verde
UTC|UTC|Coordinated Universal Time|(UTC) Coordinated Universal Time
Europe/London|GMT|GMT Standard Time|Greenwich Mean Time : Dublin, Edinburgh, Lisbon, London
Atlantic/Reykjavik|Greenwich
Africa/Sao_Tome|Sao Tome
Africa/Casablanca|Morocco
Europe/Berlin|W. Europe
Europe/Budapest|Central Europe
Europe/Paris|Romance
Europe/Warsaw|Central European
Africa/Lagos|W. Central Africa
Asia/Amman|Jordan
Europe/Bucharest|GTB
Asia/Beirut|Middle East
Africa/Cairo|Egypt
Europe/Chisinau|E. Europe
Asia/Damascus|Syria
Asia/Hebron|West Bank
Africa/Johannesburg|South Africa
Europe/Kiev|FLE
Asia/Jerusalem|Israel|Jerusalem
Africa/Juba|South Sudan
Europe/Kaliningrad|Kaliningrad
Africa/Khartoum|Sudan
Africa/Tripoli|Libya
Africa/Windhoek|Namibia
Asia/Baghdad|Arabic
Europe/Istanbul|Turkey
Asia/Riyadh|Arab
Europe/Minsk|Belarus
Europe/Moscow|Russian
Africa/Nairobi|E. Africa
Asia/Tehran|Iran
Asia/Dubai|Arabian
Europe/Astrakhan|Astrakhan
Asia/Baku|Azerbaijan
Europe/Samara|Russia Time Zone 3
Indian/Mauritius|Mauritius
Europe/Saratov|Saratov
Asia/Tbilisi|Georgian
Europe/Volgograd|Volgograd
Asia/Yerevan|Caucasus
Asia/Kabul|Afghanistan
Asia/Tashkent|West Asia
Asia/Yekaterinburg|Ekaterinburg
Asia/Karachi|Pakistan
Asia/Qyzylorda|Qyzylorda
Asia/Calcutta|India
Asia/Colombo|Sri Lanka
Asia/Katmandu|Nepal
Asia/Almaty|Central Asia
Asia/Dhaka|Bangladesh
Asia/Omsk|Omsk
Asia/Rangoon|Myanmar
Asia/Bangkok|SE Asia
Asia/Barnaul|Altai
Asia/Hovd|W. Mongolia
Asia/Krasnoyarsk|North Asia
Asia/Novosibirsk|N. Central Asia
Asia/Tomsk|Tomsk
Asia/Shanghai|China
Asia/Irkutsk|North Asia East
Asia/Singapore|Singapore
Australia/Perth|W. Australia
Asia/Taipei|Taipei
Asia/Ulaanbaatar|Ulaanbaatar
Australia/Eucla|Aus Central W.
Asia/Chita|Transbaikal
Asia/Tokyo|Tokyo
Asia/Pyongyang|North Korea
Asia/Seoul|Korea
Asia/Yakutsk|Yakutsk
Australia/Adelaide|Cen. Australia
Australia/Darwin|AUS Central
Australia/Brisbane|E. Australia
Australia/Sydney|AUS Eastern
Pacific/Port_Moresby|West Pacific
Australia/Hobart|Tasmania
Asia/Vladivostok|Vladivostok
Australia/Lord_Howe|Lord Howe
Pacific/Bougainville|Bougainville
Asia/Srednekolymsk|Russia Time Zone 10
Asia/Magadan|Magadan
Pacific/Norfolk|Norfolk
Asia/Sakhalin|Sakhalin
Pacific/Guadalcanal|Central Pacific
Asia/Kamchatka|Russia Time Zone 11
Pacific/Auckland|New Zealand
Etc/GMT-12|UTC+12
Pacific/Fiji|Fiji
Pacific/Chatham|Chatham Islands
Etc/GMT-13|UTC+13
Pacific/Tongatapu|Tonga
Pacific/Apia|Samoa
Pacific/Kiritimati|Line Islands`;

const plain = (name: string) => name.toLowerCase().replace(/\s+(standard|daylight) time$/, '');
let known: Map<string, string> | undefined;

function foreignZone(name: string): string | undefined {
  known ??= new Map(
    foreign
      .trim()
      .split('\n')
      .flatMap((row) => {
        const [zone = '', ...names] = row.split('|');
        return names.map((each) => [plain(each), zone] as const);
      }),
  );
  return known.get(plain(name));
}

/**
 * The zone that a TZID means: a name of the tz database, also behind a path like `/example.org/2007/Europe/Berlin`, the name another system
 * gives it, or an offset counted from UTC. Undefined when nobody would know.
 */
export function zoneNamed(tzid: string): string | undefined {
  const name = tzid.trim().replace(/^"|"$/g, '');
  if (/^(?:Z|GMT|Etc\/(?:UTC|GMT))$/i.test(name)) return 'UTC';
  if ((name.includes('/') || name.startsWith('UTC')) && isZone(name)) return name;
  const path = /\/((?:[A-Za-z]+\/)?[A-Za-z]+\/[A-Za-z_+-]+\d*)$/.exec(name);
  for (let part = path?.[1]; part; part = part.includes('/') ? part.slice(part.indexOf('/') + 1) : '')
    if (part.includes('/') && isZone(part)) return part;
  return foreignZone(name) ?? (isZone(name) ? name : undefined);
}

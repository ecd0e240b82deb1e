/** A kind of event: its category and subcategories, titles, texts, costs and times. */
export interface Scene {
  category: string;
  below: string[];
  titles: string[];
  texts: string[];
  costs: string[];
  /** Hours of the start, and durations in minutes. */
  hours: [earliest: number, latest: number];
  minutes: number[];
}

export const scenes: readonly Scene[] = [
  {
    category: 'Music',
    below: ['Jazz', 'Classical', 'Choir', 'Electronic'],
    titles: [
      '{Name} Quartet',
      'An Evening with {person}',
      '{adjective} Strings',
      'Songs of the {place}',
      'Open Stage: {adjective} Voices',
      '{person} & Friends',
    ],
    texts: [
      'New pieces and old favourites, played without amplification.',
      'Two sets with a break; the bar is open throughout.',
      'Doors open an hour before. Seats are not numbered.',
    ],
    costs: ['12', '18 - 32', '$15', '€20', '9.50', 'Donation', ''],
    hours: [17, 21],
    minutes: [90, 120, 150, 180],
  },
  {
    category: 'Stage',
    below: ['Theatre', 'Dance', 'Comedy', 'Poetry'],
    titles: ['The {adjective} {thing}', '{Name} Reads', 'Three Plays about {topic}', 'Improvised: {topic}', 'The Last {thing} of {Name}'],
    texts: [
      'A play in two acts, about {topic} and what is left of it.',
      'Suitable from 12 years. With surtitles.',
      'First night, followed by a talk with the company.',
    ],
    costs: ['14', '22 - 45', '$25', '€18', '10', 'Pay what you can'],
    hours: [18, 20],
    minutes: [75, 90, 120, 150],
  },
  {
    category: 'Learning',
    below: ['Workshop', 'Lecture', 'Language'],
    titles: [
      '{topic} for Beginners',
      'How to Mend a {thing}',
      'Introduction to {topic}',
      '{topic}: an Afternoon with {person}',
      'The {adjective} Side of {topic}',
    ],
    texts: [
      'Bring paper and a pencil; everything else is there.',
      'No previous knowledge needed. At most twelve people.',
      '{person} shows how it is done, step by step.',
    ],
    costs: ['Free', '0', '35', '$40', '60 - 80', ''],
    hours: [9, 18],
    minutes: [60, 90, 120, 240, 360],
  },
  {
    category: 'Outdoors',
    below: ['Walk', 'Garden', 'Sport'],
    titles: [
      'Walk to the {place}',
      '{adjective} Morning Run',
      'Birds of the {place}',
      'Planting Day at the {place}',
      'Through the {place} by Lantern',
    ],
    texts: [
      'We meet at the gate, whatever the weather.',
      'About eight kilometres, some of them steep. Sturdy shoes help.',
      'Gloves and spades are there; children are welcome.',
    ],
    costs: ['', 'Free', '5', '$5'],
    hours: [6, 17],
    minutes: [60, 120, 180, 240],
  },
  {
    category: 'Markets',
    below: ['Flea Market', 'Food', 'Books'],
    titles: ['{place} Market', '{adjective} Book Fair', 'Swap a {thing}', 'Bread, Cheese & {topic}', 'Night Market at the {place}'],
    texts: [
      'Forty stalls, two kitchens and a band.',
      'Come early for the best, late for the cheapest.',
      'Stalls can be booked until the week before.',
    ],
    costs: ['', 'Free', '2', '€3'],
    hours: [7, 16],
    minutes: [240, 300, 420],
  },
  {
    category: 'Meetings',
    below: ['Neighbourhood', 'Tech', 'Charity'],
    titles: [
      'Neighbours of the {place}',
      '{topic} Night',
      'Repair Café: the {adjective} {thing}',
      'Round Table on {topic}',
      'General Assembly of the {Name} Society',
    ],
    texts: [
      'Everybody may come, everybody may speak.',
      'Short talks, long breaks.',
      'The agenda hangs at the door; proposals until the day before.',
    ],
    costs: ['', '', 'Free'],
    hours: [10, 20],
    minutes: [60, 90, 120],
  },
  {
    category: 'Families',
    below: ['Stories', 'Crafts'],
    titles: ['The {adjective} {thing}: a Puppet Play', 'Story Hour at the {place}', 'Build a {thing}', 'Songs for Small People'],
    texts: [
      'For children from four to eight, with or without their grown-ups.',
      'We cut, glue and paint; old clothes are best.',
      'An hour of stories, lying on cushions.',
    ],
    costs: ['', '3', '$4', '5 - 8'],
    hours: [9, 16],
    minutes: [45, 60, 90],
  },
  {
    category: 'Exhibitions',
    below: ['Painting', 'Photography', 'History'],
    titles: ['{person}: {adjective} Works', 'A Century of {topic}', 'Photographs of the {place}', 'The {thing} in Art'],
    texts: [
      'Forty works from three collections, many seen for the first time.',
      'Guided tours at eleven and three.',
      'The catalogue is at the desk.',
    ],
    costs: ['8', '€12', '5 - 11', 'Free', '$10'],
    hours: [9, 11],
    minutes: [420, 480, 540],
  },
];

export const adjectives =
  'quiet golden long hidden bright northern patient red winter crooked endless tender honest blue slow curious restless silver early wild'.split(
    ' ',
  );
export const things =
  'kettle bicycle clock umbrella accordion lantern staircase radio violin suitcase map window bridge compass loom typewriter ladder teapot'.split(
    ' ',
  );
export const places = [
  'Harbour',
  'Old Mill',
  'River Meadow',
  'Botanical Garden',
  'North Gate',
  'Quarry',
  'Castle Hill',
  'Orchard',
  'Canal',
  'Observatory',
  'Fish Market',
  'City Wall',
];
export const eventTopics = [
  'Bookbinding',
  'Beekeeping',
  'Astronomy',
  'Sourdough',
  'Woodcut',
  'Local Rivers',
  'Typography',
  'Clockwork',
  'Folk Dance',
  'Mushrooms',
  'Open Data',
  'Chess',
  'Letters',
  'Stonework',
  'Weaving',
  'Tides',
];
export const lastNames =
  'Adair Bellweather Castellane Dunmore Eriksen Fontaine Galloway Hoshino Ibarra Jansson Kowalska Lindqvist Marchetti Nakamura Okafor Petrov Quintero Rosen Sørensen Thibault Ünal Varga Whitlock Ximénez Yamamoto Zoltán'.split(
    ' ',
  );
export const firstNames =
  'Ada Boris Clara Dov Elif Farid Greta Hugo Ines Jonas Kaya Liam Mira Nils Oona Pavel Rosa Sven Tala Udo Vera Wim Yara Zeno'.split(' ');
export const tagWords = [
  ...'free outdoor wheelchair-accessible family evening weekend beginners seated standing indoor bring-a-friend registration hands-on silent multilingual vegan dogs-welcome rain-or-shine'.split(
    ' ',
  ),
  ...'premiere anniversary season-opening last-chance morning lunch late youth seniors students members open-air benefit tour talk screening'.split(
    ' ',
  ),
];

/** Words that events are not only called by: rooms and halls, and streets. */
export const halls = [
  'Hall',
  'Theatre',
  'Library',
  'Workshop',
  'Studio',
  'Gallery',
  'Cellar',
  'Pavilion',
  'Barn',
  'Club',
  'Museum',
  'House',
];
export const streets = [
  'Mill Lane',
  'Station Road',
  'Market Square',
  'Bridge Street',
  'Chapel Hill',
  'Long Row',
  'Garden Street',
  'Quay',
  'Orchard Road',
  'North Street',
];

/** Somewhere that venues may be. */
export interface City {
  city: string;
  state?: string;
  province?: string;
  country: string;
  zip: string;
  zone: string;
  latitude: number;
  longitude: number;
}

const cityTable = `
New York|NY||United States|100##|America/New_York|40.73|-73.99
Boston|MA||United States|021##|America/New_York|42.36|-71.06
Chicago|IL||United States|606##|America/Chicago|41.88|-87.63
Denver|CO||United States|802##|America/Denver|39.74|-104.99
Portland|OR||United States|972##|America/Los_Angeles|45.52|-122.68
Toronto||Ontario|Canada|M5V #A#|America/Toronto|43.65|-79.38
Halifax||Nova Scotia|Canada|B3H #K#|America/Halifax|44.65|-63.57
São Paulo||SP|Brazil|01310-###|America/Sao_Paulo|-23.55|-46.63
London|||United Kingdom|SE1 #AA|Europe/London|51.5|-0.11
Dublin|||Ireland|D02 X2##|Europe/Dublin|53.34|-6.26
Lisbon|||Portugal|1100-###|Europe/Lisbon|38.72|-9.14
Paris|||France|750##|Europe/Paris|48.86|2.35
Berlin|||Germany|101##|Europe/Berlin|52.52|13.4
Zürich|||Switzerland|80##|Europe/Zurich|47.38|8.54
Kraków|||Poland|30-###|Europe/Warsaw|50.06|19.94
Helsinki|||Finland|001##|Europe/Helsinki|60.17|24.94
Athens|||Greece|105 ##|Europe/Athens|37.98|23.73
Nairobi|||Kenya|001##|Africa/Nairobi|-1.29|36.82
Mumbai||Maharashtra|India|4000##|Asia/Kolkata|18.96|72.82
Kathmandu|||Nepal|446##|Asia/Kathmandu|27.71|85.32
Tokyo|||Japan|150-00##|Asia/Tokyo|35.68|139.69
Adelaide||SA|Australia|50##|Australia/Adelaide|-34.93|138.6
Sydney||NSW|Australia|20##|Australia/Sydney|-33.87|151.21
Auckland|||New Zealand|10##|Pacific/Auckland|-36.85|174.76`;

/** The cities in some zones; all of them where no zone is named. A zone without a city gets one that bears its name. */
export function citiesIn(zones: readonly string[]): City[] {
  const all = cityTable.trim().split('\n').map(cityOf);
  if (!zones.length) return all;
  return zones.flatMap((zone) => {
    const cities = all.filter((city) => city.zone === zone);
    const name = zone.split('/').at(-1)!.replaceAll('_', ' ');
    return cities.length ? cities : [{ city: name, country: '', zip: '####', zone, latitude: 0, longitude: 0 }];
  });
}

function cityOf(row: string): City {
  const [city = '', state = '', province = '', country = '', zip = '', zone = '', latitude, longitude] = row.split('|');
  return { city, state, province, country, zip, zone, latitude: Number(latitude), longitude: Number(longitude) };
}

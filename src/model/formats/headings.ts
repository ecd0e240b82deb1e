import type { Resource, ResourceName } from '../calendar.ts';
import { closestWords } from '../did-you-mean.ts';

/** HeadingsByField of other programs and languages by field, separated by `|`. Cells of `FIELD+` are appended to the field with a space, as a time to a date, those of `FIELD&` with a comma. */
type HeadingsByField = Record<string, string>;

const website = 'url|link|webseite|internetseite|site web|page web|sitio web|página web|sito web|pagina web|sítio web';
const image = 'featured image|bild|photo|foto|imagen|imagem|immagine|afbeelding';
const description = 'details|beschreibung|descripción|descrição|descrizione|beschrijving|omschrijving';
const phone = 'telefon|telefonnummer|téléphone|teléfono|telefono|telefoon|telefoonnummer|telefone|telemóvel';

const events: HeadingsByField = {
  title:
    'name|subject|summary|titel|bezeichnung|veranstaltung|betreff|titre|nom|nom de l’évènement|évènement|objet|título|nombre|evento|nome do evento|asunto|titolo|nome|oggetto|naam|evenement|onderwerp',
  start_date:
    'start day|startdatum|anfangsdatum|beginndatum|beginnt am|date de début|date début|fecha de inicio|fecha inicio|fecha de comienzo|data di inizio|data inizio|begindatum|data de início|data início|data inicial|data de começo',
  'start_date+':
    'start|start time|from|time|beginn|beginnt um|anfang|von|startzeit|anfangszeit|uhrzeit|zeit|début|heure de début|heure|horaire|inicio|comienzo|hora de inicio|hora de comienzo|hora|inizio|ora di inizio|ora inizio|ora|orario|início|começo|hora de início|hora inicial|horário|begin|begintijd|starttijd|aanvang|aanvangstijd|tijd|van',
  day: 'date|day|datum|jour|fecha|día|data|giorno|dag|dia',
  end_date:
    'end day|enddatum|endet am|date de fin|date fin|fecha de fin|fecha fin|fecha de finalización|data di fine|data fine|einddatum|data de fim|data fim|data final|data de término',
  'end_date+':
    'end|end time|to|until|ende|endet um|bis|endzeit|schluss|fin|heure de fin|final|hora de fin|hora de finalización|fine|ora di fine|ora fine|einde|eind|eindtijd|tot|fim|término|hora de fim|hora do fim|hora final|hora de término|até',
  timezone: 'time zone|zeitzone|fuseau horaire|zona horaria|fuso orario|tijdzone|fuso horário',
  all_day:
    'all day event|ganztägig|ganztägiges ereignis|journée entière|toute la journée|todo el día|evento de todo el día|tutto il giorno|giornata intera|hele dag|duurt hele dag|dia inteiro|todo o dia|o dia todo|dia todo',
  description: `${description}|notes|notizen|remarques|notas|note|opmerkingen|observações`,
  excerpt: 'kurzbeschreibung|auszug|extrait|extracto|estratto|samenvatting|resumo',
  venue:
    'location|venue name|place|ort|veranstaltungsort|lieu|emplacement|lugar|ubicación|luogo|posizione|locatie|plaats|local|localização|recinto',
  organizer:
    'organizer name|organizers|organizer name s or id s|organiser|meeting organizer|veranstalter|veranstalterin|organisateur|organizador|organizzatore|organisator|organizadora|organização|promotor',
  categories: 'category|kategorie|kategorien|catégorie|catégories|categoría|categorías|categoria|categorie|categorieën',
  tags: 'tag|schlagwort|schlagwörter|schlagworte|étiquettes|mots clés|etiquetas|etichette|trefwoorden|labels|marcadores|palavras chave',
  cost: 'price|preis|eintritt|kosten|prix|tarif|coût|precio|coste|costo|prezzo|prijs|toegang|toegangsprijs|preço|bilhete|bilhetes|ingresso|entrada|custo|valor',
  featured: 'feature event|featured event|hervorgehoben|à la une|mis en avant|destacado|in evidenza|uitgelicht|destaque|em destaque',
  hide_from_listings: 'hide from event listings|hide event from event listings',
  sticky: 'sticky in month view',
  image,
  website,
  duration: 'dauer|durée|duración|durata|duur|duração',
  private: 'privat|privé|privado|privato',
  '': 'currency symbol|currency position|iso currency code|allow comments|allow trackbacks and pingbacks|comments|trackbacks|phone|reminder on off|reminder date|reminder time|required attendees|optional attendees|meeting resources|billing information|mileage|priority|sensitivity|show time as',
};

const venues: HeadingsByField = {
  venue: 'name|veranstaltungsort|ort|lieu|nom|lugar|nombre|luogo|nome|locatie|naam|local',
  address: 'straße|strasse|adresse|anschrift|rue|dirección|calle|indirizzo|via|adres|straat|morada|endereço|rua',
  'address&': 'address 2|address line 2|adresszusatz|complément d’adresse|complemento',
  city: 'stadt|ville|ciudad|città|stad|plaats|town|cidade|localidade',
  zip: 'postal code|postcode|zip code|plz|postleitzahl|code postal|código postal|cap|codice postale|cep|código de endereçamento postal',
  country: 'land|pays|país|paese',
  stateprovince: 'state province|bundesland|région|provincia|provincie|estado|província|distrito|região',
  geo_lat: 'latitude|lat|breitengrad|latitud|latitudine|breedtegraad',
  geo_lng: 'longitude|lng|lon|längengrad|longitud|longitudine|lengtegraad',
  description,
  phone,
  image,
  website,
};

const organizers: HeadingsByField = {
  organizer: 'name|veranstalter|nom|organisateur|nombre|organizador|nome|organizzatore|naam|organisator',
  email: 'e mail|e mail adresse|mail|courriel|correo|correo electrónico|posta elettronica|correio eletrónico|correio eletrônico',
  description,
  phone,
  image,
  website,
};

const terms: HeadingsByField = { name: 'title|titel|bezeichnung|nom|nombre|nome|naam', description };

/** HeadingsByField of other programs and languages by resource. A heading may start with the name of the resource, as in `Event Name` or `Venue City`. */
const foreignHeadings: Partial<Record<ResourceName, HeadingsByField>> = { events, venues, organizers, categories: terms, tags: terms };

/** The meaning of a heading. */
interface HeadingMeaning {
  /** A field, or one of the {@link extraColumns}; undefined for an ignored column. `day` is the start of an event, unless another column is. */
  name?: string;
  /** Set if its cells are appended to another column of the same field, with this text between: a time to a date. */
  joinedBy?: string;
}

/** Columns of events that are not fields. */
const extraColumns = ['duration', 'duration_minutes', 'private'];

/** The form of headings in which they are compared: lowercase words without accents, joined by `_`. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '');

/** Columns that are not fields. */
const besides = ({ family }: Resource) => ['id', 'slug', ...(family === 'post' ? ['uid'] : [])];

/** The headings of a resource's table: ID, slug and UID, then its fields in order, and whether the server draws a poster. */
export const headingsOf = (resource: Resource): string[] => [
  ...new Set([...besides(resource), ...resource.fields.map((field) => field.name), ...(resource.family === 'post' ? ['poster'] : [])]),
];

/** The columns of known headings in their plain form. */
function columnsOf(resource: Resource): Map<string, HeadingMeaning> {
  const { name } = resource;
  const columns = new Map<string, HeadingMeaning>();
  const add = (heading: string, column: HeadingMeaning) => {
    if (!columns.has(heading)) columns.set(heading, column);
  };
  const day = foreignHeadings[name]?.day?.split('|') ?? [];
  for (const heading of day) add(plain(heading), { name: 'day' });
  for (const field of [...headingsOf(resource), ...(name === 'events' ? extraColumns : [])]) add(field, { name: field });
  for (const [field, headings] of Object.entries(foreignHeadings[name] ?? {})) {
    const joinedBy = { '+': ' ', '&': ', ' }[field.at(-1) ?? ''];
    const column = { name: field.replace(/[+&]$/, '') || undefined, ...(joinedBy ? { joinedBy } : {}) };
    for (const heading of headings.split('|')) add(plain(heading), column);
  }
  return columns;
}

/** The program that wrote a table, where its headings tell. */
export type TableOrigin = 'export' | 'google' | 'outlook';

const google = ['subject', 'start_date', 'start_time', 'end_date', 'end_time', 'all_day_event', 'description', 'location', 'private'];

export function originOf(headings: readonly string[]): TableOrigin | undefined {
  const names = headings.map(plain);
  const has = (name: string) => names.includes(name);
  if (has('id') && has('uid')) return 'export';
  if (has('subject') && (has('show_time_as') || has('reminder_on_off'))) return 'outlook';
  return has('subject') && has('start_date') && names.every((name) => google.includes(name)) ? 'google' : undefined;
}

/** Recognizes the headings of a resource's table. */
export class Headings {
  readonly #columns: ReadonlyMap<string, HeadingMeaning>;
  readonly #prefix: RegExp;

  constructor(private readonly resource: Resource) {
    this.#columns = columnsOf(resource);
    this.#prefix = new RegExp(`^${resource.name.replace(/s$/, '')}_`);
  }

  /** Undefined for an unknown heading. */
  find(heading: string): HeadingMeaning | undefined {
    const whole = plain(heading);
    return this.#columns.get(whole) ?? this.#columns.get(whole.replace(this.#prefix, ''));
  }

  /** The field that an unknown heading most likely means. */
  guess(heading: string): string | undefined {
    // Short words are close to too many others.
    const isLong = ({ length }: string) => length > 3;
    const [first] = isLong(plain(heading)) ? closestWords(plain(heading), [...this.#columns.keys()].filter(isLong)) : [];
    const name = first === undefined ? undefined : this.#columns.get(first)!.name;
    return name === 'day' ? 'start_date' : name;
  }

  /** The fields and other columns that a heading can be mapped to. */
  get names(): string[] {
    return [...headingsOf(this.resource), ...(this.resource.name === 'events' ? extraColumns : [])];
  }
}

import type { Resource, ResourceName } from '../calendar.ts';
import { closestWords } from '../did-you-mean.ts';
import type { Resources } from '../resources/declared.ts';
import { isTerms } from '../resources/names.ts';
import { linkFields } from '../resources/relations.ts';

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
  '': 'currency symbol|currency position|iso currency code|allow comments|allow trackbacks and pingbacks|comments|trackbacks|event phone|reminder on off|reminder date|reminder time|required attendees|optional attendees|meeting resources|billing information|mileage|priority|sensitivity|show time as',
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
export interface HeadingMeaning {
  /** A field, or one of the {@link extraColumns}; undefined for an ignored column. `day` is the start of an event, unless another column is. */
  name?: string;
  /** The field whose record has the column, as `venue` of `venue_city`. */
  link?: string;
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

/** Words between a column and the record that has it, as in `Adresse du lieu`. */
const ofWords = 'of|of the|des|der|vom|du|de|de la|de l|del|della|dell|do|da|van|van de|van het';

/** A field of a table that links to records, and the columns of these which the table can have. */
interface LinkedTable {
  field: string;
  /** Matches a heading that names the records before or after one of their own. */
  naming: RegExp;
  headings: Headings;
  /** Names of their fields that a row can fill. */
  fields: readonly string[];
}

function linkedTables(resource: Resource, all: Resources): LinkedTable[] {
  const own = resource.fields.map(({ name }) => name);
  return linkFields(resource.name)
    .filter(({ links }) => !isTerms(links))
    .map(({ name, links }) => {
      const to: Resource = all[links];
      const words = [name, ...(foreignHeadings[resource.name]?.[name] ?? '').split('|')].map(plain).filter((word) => word !== '');
      const naming = `(?:${words.sort((a, b) => b.length - a.length).join('|')})(?:_?e?s)?`;
      return {
        field: name,
        naming: new RegExp(`^${naming}_(?<after>.+)$|^(?<before>.+?)(?:_(?:${ofWords.replaceAll(' ', '_')}))?_${naming}$`, 'u'),
        headings: new Headings(to, all),
        fields: to.fields.map((field) => field.name).filter((each) => to.mainFields.includes(each) || !own.includes(each)),
      };
    });
}

/** The column of a linked record by the name of its field. Its name is that of the link itself. */
function linkedMeaning({ field, fields, headings }: LinkedTable, { name, joinedBy }: HeadingMeaning): HeadingMeaning | undefined {
  if (name === undefined || !fields.includes(name)) return undefined;
  return name === headings.label ? { name: field } : { name: `${field}_${name}`, joinedBy, link: field };
}

/** Recognizes the headings of a resource's table. */
export class Headings {
  readonly #columns: ReadonlyMap<string, HeadingMeaning>;
  readonly #prefix: RegExp;
  readonly #linked: readonly LinkedTable[];

  constructor(
    private readonly resource: Resource,
    all: Resources,
  ) {
    this.#columns = columnsOf(resource);
    this.#prefix = new RegExp(`^${resource.name.replace(/s$/, '')}_`);
    this.#linked = linkedTables(resource, all);
  }

  /** The meanings of a heading: several if more than one linked record may have it, none for an unknown heading. */
  find(heading: string): HeadingMeaning[] {
    const whole = plain(heading);
    const own = this.#columns.get(whole) ?? this.#columns.get(whole.replace(this.#prefix, ''));
    if (own) return [own];
    for (const table of this.#linked) {
      const { before, after } = table.naming.exec(whole)?.groups ?? {};
      const [meaning] = (after ?? before) === undefined ? [] : table.headings.find((after ?? before)!);
      const linked = meaning && linkedMeaning(table, meaning);
      if (linked) return [linked];
    }
    return this.#linked.flatMap((table) => table.headings.find(whole).flatMap((meaning) => linkedMeaning(table, meaning) ?? []));
  }

  /** The meaning that an unknown heading most likely has. */
  guess(heading: string): HeadingMeaning | undefined {
    // Short words are close to too many others.
    const isLong = ({ length }: string) => length > 3;
    const [first] = isLong(plain(heading)) ? closestWords(plain(heading), this.#known().filter(isLong)) : [];
    const [meaning] = first === undefined ? [] : this.find(first);
    return meaning?.name === 'day' ? { name: 'start_date' } : meaning;
  }

  #known(): string[] {
    return [...this.#columns.keys(), ...this.#linked.flatMap(({ headings }) => headings.#known().filter((each) => this.find(each).length))];
  }

  /** The field that a record is called by. */
  get label(): string {
    return this.resource.label;
  }

  /** The fields and other columns that a heading can be mapped to. */
  get names(): string[] {
    const linked = this.#linked.flatMap((table) => table.fields.flatMap((name) => linkedMeaning(table, { name })?.name ?? []));
    const own = [...headingsOf(this.resource), ...(this.resource.name === 'events' ? extraColumns : [])];
    return [...new Set([...own, ...linked])];
  }
}

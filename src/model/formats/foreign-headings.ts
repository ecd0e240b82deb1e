import type { ResourceName } from '../calendar.ts';

/** Headings of other programs and languages by field, separated by `|`. Cells of `FIELD+` are appended to the field with a space, as a time to a date, those of `FIELD&` with a comma. */
type Headings = Record<string, string>;

const website = 'url|link|webseite|internetseite|site web|page web|sitio web|página web|sito web|pagina web';
const image = 'featured image|bild|photo|foto|imagen|immagine|afbeelding';
const description = 'details|beschreibung|descripción|descrizione|beschrijving|omschrijving';
const phone = 'telefon|telefonnummer|téléphone|teléfono|telefono|telefoon|telefoonnummer';

const events: Headings = {
  title:
    'name|subject|summary|titel|bezeichnung|veranstaltung|betreff|titre|nom|nom de l’évènement|évènement|objet|título|nombre|evento|asunto|titolo|nome|oggetto|naam|evenement|onderwerp',
  start_date:
    'start day|startdatum|anfangsdatum|beginndatum|beginnt am|date de début|date début|fecha de inicio|fecha inicio|fecha de comienzo|data di inizio|data inizio|begindatum',
  'start_date+':
    'start|start time|from|time|beginn|beginnt um|anfang|von|startzeit|anfangszeit|uhrzeit|zeit|début|heure de début|heure|horaire|inicio|comienzo|hora de inicio|hora de comienzo|hora|inizio|ora di inizio|ora inizio|ora|orario|begin|begintijd|starttijd|aanvang|aanvangstijd|tijd|van',
  day: 'date|day|datum|jour|fecha|día|data|giorno|dag',
  end_date: 'end day|enddatum|endet am|date de fin|date fin|fecha de fin|fecha fin|fecha de finalización|data di fine|data fine|einddatum',
  'end_date+':
    'end|end time|to|until|ende|endet um|bis|endzeit|schluss|fin|heure de fin|final|hora de fin|hora de finalización|fine|ora di fine|ora fine|einde|eind|eindtijd|tot',
  timezone: 'time zone|zeitzone|fuseau horaire|zona horaria|fuso orario|tijdzone',
  all_day:
    'all day event|ganztägig|ganztägiges ereignis|journée entière|toute la journée|todo el día|evento de todo el día|tutto il giorno|giornata intera|hele dag|duurt hele dag',
  description: `${description}|notes|notizen|remarques|notas|note|opmerkingen`,
  excerpt: 'kurzbeschreibung|auszug|extrait|extracto|estratto|samenvatting',
  venue: 'location|venue name|place|ort|veranstaltungsort|lieu|emplacement|lugar|ubicación|luogo|posizione|locatie|plaats',
  organizer:
    'organizer name|organizers|organizer name s or id s|organiser|meeting organizer|veranstalter|veranstalterin|organisateur|organizador|organizzatore|organisator',
  categories: 'category|kategorie|kategorien|catégorie|catégories|categoría|categorías|categoria|categorie|categorieën',
  tags: 'tag|schlagwort|schlagwörter|schlagworte|étiquettes|mots clés|etiquetas|etichette|trefwoorden|labels',
  cost: 'price|preis|eintritt|kosten|prix|tarif|coût|precio|coste|costo|prezzo|prijs|toegang|toegangsprijs',
  featured: 'feature event|featured event',
  hide_from_listings: 'hide from event listings|hide event from event listings',
  sticky: 'sticky in month view',
  image,
  website,
  duration: 'dauer|durée|duración|durata|duur',
  private: 'privat|privé|privado|privato',
  '': 'currency symbol|currency position|iso currency code|allow comments|allow trackbacks and pingbacks|comments|trackbacks|phone|reminder on off|reminder date|reminder time|required attendees|optional attendees|meeting resources|billing information|mileage|priority|sensitivity|show time as',
};

const venues: Headings = {
  venue: 'name|veranstaltungsort|ort|lieu|nom|lugar|nombre|luogo|nome|locatie|naam',
  address: 'straße|strasse|adresse|anschrift|rue|dirección|calle|indirizzo|via|adres|straat',
  'address&': 'address 2|address line 2|adresszusatz|complément d’adresse',
  city: 'stadt|ville|ciudad|città|stad|plaats|town',
  zip: 'postal code|postcode|zip code|plz|postleitzahl|code postal|código postal|cap|codice postale',
  country: 'land|pays|país|paese',
  stateprovince: 'state province|bundesland|région|provincia|provincie',
  geo_lat: 'latitude|lat|breitengrad|latitud|latitudine|breedtegraad',
  geo_lng: 'longitude|lng|lon|längengrad|longitud|longitudine|lengtegraad',
  description,
  phone,
  image,
  website,
};

const organizers: Headings = {
  organizer: 'name|veranstalter|nom|organisateur|nombre|organizador|nome|organizzatore|naam|organisator',
  email: 'e mail|e mail adresse|mail|courriel|correo|correo electrónico|posta elettronica',
  description,
  phone,
  image,
  website,
};

const terms: Headings = { name: 'title|titel|bezeichnung|nom|nombre|nome|naam', description };

/** Headings of other programs and languages by resource. A heading may start with the name of the resource, as in `Event Name` or `Venue City`. */
export const foreignHeadings: Partial<Record<ResourceName, Headings>> = { events, venues, organizers, categories: terms, tags: terms };

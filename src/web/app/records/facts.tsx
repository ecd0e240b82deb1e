import type { ComponentChildren } from 'preact';
import type { OrganizerRecord, VenueRecord } from '../../../model/resources/record-types.ts';
import { definitions, tables } from '../../definitions.ts';
import { Icon, type IconName } from '../parts/controls.tsx';
import { textOfHtml } from '../parts/html.tsx';
import { type Post, permalinkPath } from '../record.ts';
import './facts.css';

/** A fact about a record, with an icon. */
export const Fact = ({ icon, name, children }: { icon: IconName; name: string; children: ComponentChildren }) => (
  <div class="facts-item">
    <dt>
      <Icon name={icon} />
      <span class="unseen">{name}</span>
    </dt>
    <dd>{children}</dd>
  </div>
);

const addressLines = ({ address, zip, city, stateprovince, country }: VenueRecord): string[] =>
  [textOfHtml(address), [zip, city].map(textOfHtml).filter(Boolean).join(' '), textOfHtml(stateprovince), textOfHtml(country)].filter(
    Boolean,
  );

const mapAddress = (venue: VenueRecord): string =>
  venue.geo_lat !== undefined && venue.geo_lng !== undefined
    ? `https://www.openstreetmap.org/?mlat=${venue.geo_lat}&mlon=${venue.geo_lng}#map=17/${venue.geo_lat}/${venue.geo_lng}`
    : `https://www.openstreetmap.org/search?query=${encodeURIComponent(addressLines(venue).join(', ') || textOfHtml(venue.venue))}`;

/** The address of a venue, with a link to a map. */
export const VenueAddress = ({ venue, linked, map }: { venue: VenueRecord; linked?: boolean; map: boolean }) => (
  <address>
    {linked && (
      <a href={permalinkPath(venue)}>
        <bdi>{textOfHtml(venue.venue)}</bdi>
      </a>
    )}
    {addressLines(venue).map((line) => (
      <bdi class="facts-row" key={line}>
        {line}
      </bdi>
    ))}
    {map && (
      <a class="facts-outward" href={mapAddress(venue)} rel="noreferrer noopener">
        View map
      </a>
    )}
  </address>
);

/** Contact details of a record. The website is omitted if it is the record's own page. */
export const Contacts = ({
  phone,
  email,
  website,
  recordUrl,
}: Pick<OrganizerRecord, 'phone' | 'email' | 'website'> & { recordUrl?: string }) => (
  <>
    {phone && (
      <Fact icon="phone" name="Phone">
        <a href={`tel:${textOfHtml(phone).replace(/[^\d+]/g, '')}`}>{textOfHtml(phone)}</a>
      </Fact>
    )}
    {email && (
      <Fact icon="mail" name="Email">
        <a href={`mailto:${textOfHtml(email)}`}>{textOfHtml(email)}</a>
      </Fact>
    )}
    {website && website !== recordUrl && /^https?:/i.test(website) && (
      <Fact icon="link" name="Website">
        <a href={textOfHtml(website)} rel="noreferrer noopener nofollow">
          {textOfHtml(website).replace(/^https?:\/\/|\/$/g, '')}
        </a>
      </Fact>
    )}
  </>
);

/** Maximum number of characters of a value. */
const maxLength = 300;

/** A value as text. Values of other sites are not trusted: nothing in them becomes markup or a link. */
function textOf(value: unknown): string {
  if (value === true || value === false) return value ? 'yes' : 'no';
  const text = typeof value === 'object' ? JSON.stringify(value) : textOfHtml(value);
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

const isEmpty = (value: unknown) => value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/** The declared fields of a record, and the members that only another site has. */
export function MoreFields({ resource, record }: { resource: keyof typeof definitions; record: Post }) {
  const { members, fields } = definitions[resource];
  const declared = fields.filter(({ isDeclared }) => isDeclared).map(({ name }) => name);
  const definedNames = [...members, ...tables[resource].columns];
  const others = Object.keys(record).filter((name) => !definedNames.includes(name) || declared.includes(name));
  const names = others.filter((name) => !isEmpty(record[name]));
  if (!names.length) return null;
  return (
    <Fact icon="tag" name="More fields">
      <dl class="facts-more">
        {names.map((name) => (
          <div key={name}>
            <dt>{name.replaceAll('_', ' ')}</dt>
            <dd>
              <bdi>{textOf(record[name])}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </Fact>
  );
}

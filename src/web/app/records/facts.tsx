import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from '../icon.tsx';
import { plain } from '../markup.ts';
import { type Organizer, pathOf, type Venue } from '../record.ts';

/** One thing to know of a record, with a sign before it. */
export const Fact = ({ icon, name, children }: { icon: IconName; name: string; children: ComponentChildren }) => (
  <div class="fact">
    <dt>
      <Icon name={icon} />
      <span class="unseen">{name}</span>
    </dt>
    <dd>{children}</dd>
  </div>
);

/** The address of a venue in lines. */
const addressLines = ({ address, zip, city, stateprovince, country }: Venue): string[] =>
  [plain(address), [zip, city].map(plain).filter(Boolean).join(' '), plain(stateprovince), plain(country)].filter(Boolean);

/** Where a venue is on a map that everybody may look at. */
const mapOf = (venue: Venue): string =>
  venue.geo_lat !== undefined && venue.geo_lng !== undefined
    ? `https://www.openstreetmap.org/?mlat=${venue.geo_lat}&mlon=${venue.geo_lng}#map=17/${venue.geo_lat}/${venue.geo_lng}`
    : `https://www.openstreetmap.org/search?query=${encodeURIComponent(addressLines(venue).join(', ') || plain(venue.venue))}`;

/** A venue's address, and the way to a map. */
export const Place = ({ venue, linked, map }: { venue: Venue; linked?: boolean; map: boolean }) => (
  <address>
    {linked && (
      <a href={pathOf(venue)}>
        <bdi>{plain(venue.venue)}</bdi>
      </a>
    )}
    {addressLines(venue).map((line) => (
      <bdi class="row" key={line}>
        {line}
      </bdi>
    ))}
    {map && (
      <a class="outward" href={mapOf(venue)} rel="noreferrer noopener">
        Map
      </a>
    )}
  </address>
);

/** Ways to reach somebody. */
export const Contacts = ({ phone, email, website, own }: Pick<Organizer, 'phone' | 'email' | 'website'> & { own?: string }) => (
  <>
    {phone && (
      <Fact icon="phone" name="Phone">
        <a href={`tel:${plain(phone).replace(/[^\d+]/g, '')}`}>{plain(phone)}</a>
      </Fact>
    )}
    {email && (
      <Fact icon="mail" name="E-mail">
        <a href={`mailto:${plain(email)}`}>{plain(email)}</a>
      </Fact>
    )}
    {website && website !== own && /^https?:/i.test(website) && (
      <Fact icon="link" name="Website">
        <a href={plain(website)} rel="noreferrer noopener nofollow">
          {plain(website).replace(/^https?:\/\/|\/$/g, '')}
        </a>
      </Fact>
    )}
  </>
);

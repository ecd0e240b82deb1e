import { machine } from '../machine.ts';
import { type Resource, type Row, resourceNames } from '../model/calendar.ts';
import { resources } from '../model/resources/all.ts';
import { openCalendar, type Store } from '../store/calendar.ts';
import { links } from '../store/records/tables.ts';
import type { StoreImage } from '../store/snapshots.ts';
import { putRows } from './world/reset.ts';

/** The tables that everyone may read. Users, and what is known of other sites, are in others. */
const publicTables = ['settings', 'sequences', 'images', 'series', ...resourceNames, ...links.map(({ table }) => table)];

/** Replaces the passwords of records, which are not for everyone, by this one: the records stay protected. */
const publicPassword = 'password';
const withPublicPassword = (row: Row): Row => (row.post_password ? { ...row, post_password: publicPassword } : row);

/** The same for a fixture, without its users. */
export const publicFixture = (document: object): object =>
  JSON.parse(
    JSON.stringify({ ...document, users: undefined }, (name, value) => (name === 'post_password' && value ? publicPassword : value)),
  );

/** A copy of a calendar for everyone, without users and without the remains of what was deleted. */
interface PublicImage {
  bytes: StoreImage;
  /** Hash of the content. */
  hash: string;
  /** Number of users that are left out. */
  users: number;
  /** Number of records that visitors of a site don't read: drafts, private, scheduled and protected ones, and those in the trash. */
  hidden: number;
  /** Number of uploaded images, whose files are not in it. */
  uploads: number;
}

export async function publicImage({ db, users }: Store): Promise<PublicImage> {
  const rows = publicTables.map((table) => [table, db.all<Row>(`select * from ${table}`).map(withPublicPassword)] as const);
  const copy = await openCalendar(':memory:', { mode: 'write', now: () => 0 });
  try {
    copy.db.change(() => {
      copy.db.run('pragma defer_foreign_keys = on');
      for (const [table, all] of rows) putRows(copy, table, all);
    });
    const posts = Object.values<Resource>(resources).filter(({ family }) => family === 'post');
    const hiddenIn = ({ name, fields }: Resource): number => {
      const isProtected = fields.some((field) => field.name === 'post_password') ? ` or post_password <> ''` : '';
      return db.get<{ n: number }>(`select count(*) as n from ${name} where status <> 'publish'${isProtected}`)!.n;
    };
    return {
      bytes: copy.image(),
      hash: machine.hash('sha256', JSON.stringify(rows), 'hex'),
      users: users.list().length,
      hidden: posts.reduce((sum, resource) => sum + hiddenIn(resource), 0),
      uploads: db.get<{ n: number }>('select count(*) as n from images where upload is not null')!.n,
    };
  } finally {
    await copy.close();
  }
}

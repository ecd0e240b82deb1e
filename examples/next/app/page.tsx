import { cookies } from 'next/headers';

/** The API of the site; without one, the calendar in this process. */
const api = process.env.API_URL ?? `http://127.0.0.1:${process.env.PORT ?? 3000}/calendar/events/v1`;

export default async function Page() {
  // In a test, the calendar of the test.
  const world = (await cookies()).get('calendar_world')?.value;
  const response = await fetch(`${api}/events?per_page=5`, { headers: world ? { 'X-Calendar-World': world } : {}, cache: 'no-store' });
  const { events }: { events: { id: number; title: string; start_date: string }[] } = await response.json();
  return (
    <main>
      <h1>What’s on</h1>
      <ul>
        {events.map(({ id, title, start_date }) => (
          <li key={id}>
            {/* Titles are HTML. */}
            <span dangerouslySetInnerHTML={{ __html: title }} />, {start_date.slice(0, 16)}
          </li>
        ))}
      </ul>
    </main>
  );
}

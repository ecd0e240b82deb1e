const events = 'https://example.org/wp-json/calendar/events/v1/events';

/** Shows the next events of the site in a list. */
export async function showAgenda(list: HTMLElement): Promise<void> {
  const response = await fetch(`${events}?per_page=5`);
  if (!response.ok) {
    list.textContent = 'The events are not available at the moment.';
    return;
  }
  const { events: found }: { events: { title: string; start_date: string }[] } = await response.json();
  if (found.length === 0) list.textContent = 'Nothing is planned.';
  for (const { title, start_date } of found) {
    const item = document.createElement('li');
    // Titles are HTML.
    item.innerHTML = title;
    item.append(`, ${start_date.slice(0, 16)}`);
    list.append(item);
  }
}

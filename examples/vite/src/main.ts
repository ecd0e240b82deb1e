const response = await fetch('/calendar/events/v1/events?per_page=5');
const { events }: { events: { title: string; start_date: string }[] } = await response.json();
const list = document.querySelector('#events')!;
for (const { title, start_date } of events) {
  const item = document.createElement('li');
  // Titles are HTML.
  item.innerHTML = title;
  item.append(`, ${start_date.slice(0, 16)}`);
  list.append(item);
}

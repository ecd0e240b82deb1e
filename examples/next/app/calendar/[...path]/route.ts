import { createCalendar } from 'local-calendar';

const store = globalThis as { calendar?: ReturnType<typeof createCalendar> };
store.calendar ??= createCalendar({ seed: 'shapes', listen: false });

const handle = async (request: Request) => (await store.calendar!).handler(request);

export { handle as DELETE, handle as GET, handle as OPTIONS, handle as PATCH, handle as POST, handle as PUT };

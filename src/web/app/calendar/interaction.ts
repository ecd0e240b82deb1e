import { lazy } from '../lazy.tsx';

/** Lets the user move, resize and create events. Loaded after the view, which shows events without it. */
export const Interaction = lazy(async () => (await import('./edit/interaction.ts')).Interaction, null);

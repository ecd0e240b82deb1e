import library from 'local-calendar';
import { useCalendar } from 'local-calendar/vitest';
import { expect, test, vi } from 'vitest';
import { documentTests } from './dom.cjs';

documentTests({ useCalendar, library, test, expect, fake: () => vi.useFakeTimers(), real: () => vi.useRealTimers() });

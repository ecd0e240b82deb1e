import { describe, expect, it } from 'vitest';
import { didYouMean } from '../../src/model/did-you-mean.ts';

describe('didYouMean', () => {
  it.each<[string, string[], string | undefined]>([
    ['titel', ['title', 'tags'], 'Did you mean title?'],
    ['Evnts', ['events', 'venues'], 'Did you mean events?'],
    ['jsn', ['json', 'csv'], 'Did you mean json?'],
    ['sta', ['start_date', 'status', 'state', 'tags'], 'Did you mean state or status or start_date?'],
    ['nmae', ['name', 'title'], 'Did you mean name?'],
    ['ulr', ['user', 'url'], 'Did you mean url or user?'],
    ['prce', ['price', 'pace', 'prices', 'once', 'place', 'piece'], 'Did you mean pace or price or once?'],
    ['st', ['start'], undefined],
    ['csv', ['ics', 'json'], undefined],
    ['x', [], undefined],
  ])('%s among %j: %s', (word, known, hint) => expect(didYouMean(word, known)).toBe(hint));
});

import { unknownFields } from '../../model/fixture.ts';
import { recordLines } from '../../model/record-line.ts';
import { decodeChunks, linesIn } from '../../model/text-source.ts';
import { didYouMean } from '../suggestion.ts';
import type { Import } from './intake.ts';
import { Intake } from './matching.ts';
import { problemsOf } from './transaction.ts';

/** Takes ndjson in, a line at a time. */
export function takeLines({ desk, spool, tally, problems, done, options, empty }: Import): void {
  let intake = new Intake(desk, tally);
  for (const record of recordLines(linesIn(decodeChunks(spool.chunks(), options.encoding)))) {
    const at = `line ${record.line}`;
    try {
      if ('settings' in record) {
        if (empty) for (const [name, value] of Object.entries(record.settings)) desk.settings.set(name, String(value));
        intake = new Intake(desk.fresh(), tally);
        continue;
      }
      const { resource, input } = record;
      if (options.only && !options.only.includes(resource)) continue;
      const unknown = unknownFields(resource, input, `${at}: `, didYouMean);
      problems.push(...unknown);
      if (!unknown.length) intake.take(resource, input);
    } catch (error) {
      problems.push(...problemsOf(error, at));
    }
    done(tally.total);
  }
  intake.finish();
}

import * as z from 'zod';
import { decodeChunks, linesIn } from '../../model/formats/decode.ts';
import { recordLines } from '../../model/formats/ndjson.ts';
import { labelOf } from '../record.ts';
import { problemsOf } from '../transaction.ts';
import { CompleteRecords } from './complete-record.ts';
import type { ImportJob } from './options.ts';
import { Responses } from './responses.ts';

/** Imports NDJSON line by line. */
export function importNdjson(job: ImportJob): void {
  const { source, summary, options, empty } = job;
  let { local } = job;
  const responses = new Responses(job);
  let records = new CompleteRecords(local, summary);
  for (const line of recordLines(linesIn(decodeChunks(source.chunks(), options.encoding)), z, options.only, () => local.resources)) {
    const at = `line ${line.line}`;
    if ('settings' in line) {
      try {
        if (empty) for (const [name, value] of Object.entries(line.settings)) local.settings.import(name, String(value));
      } catch (error) {
        summary.reject('events', '', problemsOf(error, at));
      }
      records = new CompleteRecords(local.reload(), summary);
    } else if ('fields' in line) {
      try {
        local.declare(line.fields);
      } catch (error) {
        summary.reject('events', '', problemsOf(error, at));
      }
      local = local.reload();
      records = new CompleteRecords(local, summary);
    } else if ('series' in line) local.series.set(line.series);
    else if ('answer' in line) responses.add(line.answer);
    else if ('fault' in line) summary.reject(options.only?.[0] ?? 'events', '', [line.fault]);
    else if (options.only?.includes(line.resource) ?? true) {
      const { resource, input, problems } = line;
      if (problems.length) summary.reject(resource, labelOf(resource, input), problems);
      else records.add(resource, input, at);
    }
  }
  records.finish();
  responses.finish();
}

import * as z from 'zod';
import { decodeChunks, linesIn } from '../../model/formats/decode.ts';
import { recordLines } from '../../model/formats/ndjson.ts';
import { labelOf } from '../record.ts';
import { problemsOf } from '../transaction.ts';
import { AnswerImporter } from './answers.ts';
import type { ImportJob } from './options.ts';
import { Upsert } from './upsert.ts';

/** Imports ndjson, a line at a time. */
export function importNdjson(job: ImportJob): void {
  const { local, source, summary, options, empty } = job;
  const answers = new AnswerImporter(job);
  let upsert = new Upsert(local, summary);
  for (const record of recordLines(linesIn(decodeChunks(source.chunks(), options.encoding)), z)) {
    const at = `line ${record.line}`;
    try {
      if ('settings' in record) {
        if (empty) for (const [name, value] of Object.entries(record.settings)) local.settings.set(name, String(value));
        upsert = new Upsert(local.reload(), summary);
        continue;
      }
      if ('answer' in record) {
        answers.import(record.answer);
        continue;
      }
      if ('fault' in record) {
        summary.refuse(options.only?.[0] ?? 'events', '', [record.fault]);
        continue;
      }
      const { resource, input } = record;
      if (options.only && !options.only.includes(resource)) continue;
      if (record.problems.length) summary.refuse(resource, labelOf(resource, input), record.problems);
      else upsert.record(resource, input, at);
    } catch (error) {
      const [name, label] = 'resource' in record ? [record.resource, labelOf(record.resource, record.input)] : (['events', ''] as const);
      summary.refuse(name, label, problemsOf(error, at));
    }
  }
  upsert.finish();
  answers.finish();
}

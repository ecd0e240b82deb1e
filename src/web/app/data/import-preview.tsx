import { useEffect, useRef, useState } from 'preact/hooks';
import type { Problem } from '../../../model/error.ts';
import { andList } from '../../../model/grammar.ts';
import type { Done, ImportInput, TableHeadings } from '../../../model/operation-types.ts';
import { skippedColumn, tableOptions } from '../../../model/operations/table-options.ts';
import { labels } from '../../definitions.ts';
import { counted, countText } from '../format.ts';
import { ErrorText, Form, Scrollable } from '../parts/controls.tsx';
import { Modal } from '../parts/dialog.tsx';
import type { ApiError } from '../server/api.ts';
import { callAndReload, callOperation } from '../server/control.ts';
import { ErrorMessage, runWithUndo } from '../workbench/action.tsx';
import type { TableName } from './state.ts';
import './import-preview.css';

/** Encodes a file as base64, because it may be a table in any encoding. */
const toBase64 = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });

const isTable = ({ name }: File): boolean => /\.(csv|tsv|txt)$/i.test(name);

/** Texts by name. */
type Texts = Readonly<Record<string, string>>;

/** The options for reading a table. Its columns have a form. */
const options = tableOptions.filter(({ name }) => name !== 'map');

function parseOptions(texts: Texts): { input: Partial<ImportInput>; message?: string } {
  const entries = options.filter(({ name }) => texts[name]).map((option) => ({ option, value: option.parse(texts[option.name]!) }));
  const invalid = entries.find(({ value }) => value === undefined)?.option;
  return {
    input: Object.fromEntries(entries.map(({ option, value }) => [option.name, value])),
    ...(invalid && { message: `${invalid.label} must be ${invalid.expected}` }),
  };
}

/** The input of an import. A table of values has the records of the shown resource. `map` has the fields that were chosen for its columns. */
const inputOf = async (file: File, table: TableName, texts: Texts, map: Texts): Promise<ImportInput> => ({
  name: file.name,
  base64: await toBase64(file),
  ...(isTable(file) && table !== 'trash' && { only: [table] }),
  ...(Object.keys(map).length > 0 && { map }),
  ...parseOptions(texts).input,
});

/** The unknown headings of a table, each once. */
const unknownIn = (table: TableHeadings | undefined): string[] => [
  ...new Set(table?.headings.flatMap(({ heading, field }) => (field === undefined ? heading : []))),
];

/** The label of the button that imports a file: what it imports, and what it leaves out. */
function submitText({ created, updated, unchanged, skipped, problems, table: read }: Done, table: TableName): string {
  const unknown = unknownIn(read);
  const out = [
    ...(unknown.length > 2 ? [counted(unknown.length, 'column')] : unknown.map((heading) => `column “${heading}”`)),
    ...(problems.length ? [counted(skipped, read ? 'row' : 'record')] : []),
  ];
  if (!out.length) return 'Import';
  const [one, many] = table === 'trash' || !read ? ['record', 'records'] : [labels[table].kind, table];
  return `Import ${counted(created + updated + unchanged, one, many)} without ${andList(out)}`;
}

const countsText = (done: Done): string =>
  (['created', 'updated', 'unchanged', 'skipped', 'deleted'] as const)
    .filter((outcome) => done[outcome])
    .map((outcome) => `${countText(done[outcome])} ${outcome}`)
    .join(', ') || 'no changes';

/** Number of records that the preview lists. */
const maxListed = 200;

/** A preview of the import of a file, and a button that imports it. */
export function ImportPreview({ file, table, onClose }: { file: File; table: TableName; onClose(): void }) {
  const [preview, setPreview] = useState<Done>();
  const [failure, setFailure] = useState<ApiError>();
  const [isBusy, setBusy] = useState(false);
  const [texts, setTexts] = useState<Texts>({});
  const [map, setMap] = useState<Texts>({});
  const [headings, setHeadings] = useState<TableHeadings>();
  const { message } = parseOptions(texts);
  useEffect(() => {
    const controller = new AbortController();
    setPreview(undefined);
    setFailure(undefined);
    if (message) return undefined;
    const load = async () => {
      const input = { ...(await inputOf(file, table, texts, map)), dry_run: true, list: true, lenient: true };
      const done = (await callOperation('import', input, controller.signal)).value;
      if (controller.signal.aborted) return;
      setPreview(done);
      setHeadings(done.table);
    };
    load().catch((error: ApiError) => {
      if (controller.signal.aborted) return;
      setFailure(error);
      // Without them, as for a field that needs another column, those before stay.
      if (error.table) setHeadings(error.table);
    });
    return () => controller.abort();
  }, [file, table, texts, map, message]);
  const isPartial = preview !== undefined && submitText(preview, table) !== 'Import';
  const valid = preview ? preview.created + preview.updated + preview.unchanged : 0;
  const run = async () => {
    setBusy(true);
    try {
      const { value: health } = await callOperation('health');
      await runWithUndo('import', health.file, async () => {
        const done = await callAndReload('import', { ...(await inputOf(file, table, texts, map)), ...(isPartial && { lenient: true }) });
        return { text: `Imported ${file.name}: ${countsText(done)}.`, undo: done.undo };
      });
      onClose();
    } catch (error) {
      setFailure(error as ApiError);
      setBusy(false);
    }
  };
  return (
    <Modal title={`Import ${file.name}`} class="import-preview" isFocused onClose={onClose}>
      <Form
        submit={preview ? submitText(preview, table) : 'Import'}
        isBusy={!preview || isBusy || (preview.problems.length > 0 && !valid)}
        onSubmit={run}
        onCancel={onClose}
      >
        {headings && <HeadingForm table={headings} map={map} onChange={(heading, field) => setMap({ ...map, [heading]: field })} />}
        {isTable(file) && <Options texts={texts} onChange={(name, text) => setTexts({ ...texts, [name]: text })} />}
        <ErrorText text={message ?? ''} />
        {!preview && !failure && !message && <p aria-busy="true">Reading the file…</p>}
        {failure && <ErrorMessage error={failure} />}
        {/* The message has a single one. */}
        {failure && failure.problems.length > 1 && <Problems problems={failure.problems} />}
        {preview && <Preview done={preview} />}
      </Form>
    </Modal>
  );
}

/** The columns of a table, each with its field. The form is open if any is unknown. */
function HeadingForm({ table, map, onChange }: { table: TableHeadings; map: Texts; onChange(heading: string, field: string): void }) {
  const wasUnknown = useRef(false);
  wasUnknown.current ||= unknownIn(table).length > 0;
  const byHeading = new Map(table.headings.map((each) => [each.heading, each]));
  return (
    <details open={wasUnknown.current}>
      <summary>Columns</summary>
      <div class="import-preview-options">
        {[...byHeading.values()].map(({ heading, field = '', guess }) => (
          <label class="field" key={heading}>
            {heading}
            <select
              aria-label={heading}
              value={map[heading] ?? field}
              onChange={({ currentTarget }) => onChange(heading, currentTarget.value)}
            >
              <option value="">Left out{guess && ` (${guess}?)`}</option>
              {table.fields.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
        ))}
      </div>
    </details>
  );
}

/** The options for reading a table. A change is applied with Enter or when the control loses the focus. */
const Options = ({ texts, onChange }: { texts: Texts; onChange(name: string, text: string): void }) => (
  <details>
    <summary>Options</summary>
    <div class="import-preview-options">
      {options.map(({ name, label, about, choices }) => (
        <label class="field" key={name} for={`import-${name}`}>
          {label}
          {choices ? (
            <select
              id={`import-${name}`}
              value={texts[name]}
              title={about}
              onChange={({ currentTarget }) => onChange(name, currentTarget.value)}
            >
              <option value="">Detected</option>
              {choices.map((choice) => (
                <option key={choice}>{choice}</option>
              ))}
            </select>
          ) : (
            <input
              id={`import-${name}`}
              type="text"
              title={about}
              value={texts[name]}
              onChange={({ currentTarget }) => onChange(name, currentTarget.value.trim())}
            />
          )}
        </label>
      ))}
    </div>
  </details>
);

function Preview({ done }: { done: Done }) {
  const { records, problems, conversions } = done;
  // The form and the button name the columns that are left out.
  const skipped = unknownIn(done.table).map(skippedColumn);
  const notes = done.notes.filter(({ reason }) => !skipped.includes(reason));
  return (
    <>
      <p role="status">
        Dry run: {countsText(done)}.{' '}
        {Object.entries(conversions)
          .map(([what, count]) => `${what}: ${countText(count)}.`)
          .join(' ')}
      </p>
      {problems.length > 0 && (
        <p class="form-error" role="alert">
          {problems.length === 1 ? '1 problem' : `${countText(problems.length)} problems`}. Records with problems are not imported.
        </p>
      )}
      <Problems problems={[...problems, ...notes]} />
      {records.length > 0 && (
        <Scrollable class="import-preview-records" label="Records">
          <table>
            <tbody>
              {records.slice(0, maxListed).map(({ action, resource, name, start_date, reason }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the list doesn't change.
                <tr key={index}>
                  <td>{action}</td>
                  <td>{resource}</td>
                  <td>
                    <bdi>{name}</bdi> {reason && <small>{reason}</small>}
                  </td>
                  <td>{start_date?.slice(0, 16)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scrollable>
      )}
      {records.length > maxListed && <p class="quiet">… and {countText(records.length - maxListed)} more.</p>}
    </>
  );
}

/** Problems of a file, each with its line and field and what to write. */
const Problems = ({ problems }: { problems: readonly Problem[] }) =>
  problems.length ? (
    <ul class="import-preview-remarks">
      {problems.slice(0, maxListed).map(({ at, reason }) => (
        <li key={`${at} ${reason}`}>
          <b>{at}</b>: {reason}
        </li>
      ))}
    </ul>
  ) : null;

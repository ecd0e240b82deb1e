import { useEffect, useState } from 'preact/hooks';
import type { Problem } from '../../../model/error.ts';
import type { Done, ImportInput } from '../../../model/operation-types.ts';
import { tableOptions } from '../../../model/operations/table-options.ts';
import { countText } from '../format.ts';
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

/** Texts of the options for reading a table, by name. */
type OptionTexts = Readonly<Record<string, string>>;

function parseOptions(texts: OptionTexts): { input: Partial<ImportInput>; message?: string } {
  const entries = tableOptions.filter(({ name }) => texts[name]).map((option) => ({ option, value: option.parse(texts[option.name]!) }));
  const invalid = entries.find(({ value }) => value === undefined)?.option;
  return {
    input: Object.fromEntries(entries.map(({ option, value }) => [option.name, value])),
    ...(invalid && { message: `${invalid.label} must be ${invalid.expected}` }),
  };
}

/** The input of an import. A table of values has the records of the shown resource. */
const inputOf = async (file: File, table: TableName, texts: OptionTexts): Promise<ImportInput> => ({
  name: file.name,
  base64: await toBase64(file),
  ...(isTable(file) && table !== 'trash' && { only: [table] }),
  ...parseOptions(texts).input,
});

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
  const [texts, setTexts] = useState<OptionTexts>({});
  const { message } = parseOptions(texts);
  useEffect(() => {
    const controller = new AbortController();
    setPreview(undefined);
    setFailure(undefined);
    if (message) return undefined;
    const load = async () => {
      const input = { ...(await inputOf(file, table, texts)), dry_run: true, list: true };
      const call = async (lenient?: true) => (await callOperation('import', { ...input, lenient }, controller.signal)).value;
      const done = await call().catch(async (error: ApiError) => {
        if (!error.problems?.length) throw error;
        const lenient = await call(true);
        const isNew = ({ at, reason }: Problem) => !error.problems!.some((each) => each.at === at && each.reason === reason);
        return { ...lenient, problems: [...error.problems, ...lenient.problems.filter(isNew)] };
      });
      if (!controller.signal.aborted) setPreview(done);
    };
    load().catch((error) => controller.signal.aborted || setFailure(error));
    return () => controller.abort();
  }, [file, table, texts, message]);
  const isPartial = preview !== undefined && preview.problems.length > 0;
  const valid = preview ? preview.created + preview.updated + preview.unchanged : 0;
  const run = async () => {
    setBusy(true);
    try {
      const { value: health } = await callOperation('health');
      await runWithUndo('import', health.file, async () => {
        const done = await callAndReload('import', { ...(await inputOf(file, table, texts)), ...(isPartial && { lenient: true }) });
        return { text: `Imported ${file.name}: ${countsText(done)}.`, undo: done.undo };
      });
      onClose();
    } catch (error) {
      setFailure(error as ApiError);
      setBusy(false);
    }
  };
  return (
    <Modal title={`Import ${file.name}`} class="import-preview" onClose={onClose}>
      <Form
        submit={isPartial ? `Import the ${valid === 1 ? 'valid record' : `${countText(valid)} valid records`}` : 'Import'}
        isBusy={!preview || isBusy || (isPartial && !valid)}
        onSubmit={run}
        onCancel={onClose}
      >
        {isTable(file) && <Options texts={texts} onChange={(name, text) => setTexts({ ...texts, [name]: text })} />}
        <ErrorText text={message ?? ''} />
        {!preview && !failure && !message && <p aria-busy="true">Reading the file…</p>}
        {failure && <ErrorMessage error={failure} />}
        {failure && <Problems problems={failure.problems} />}
        {preview && <Preview done={preview} />}
      </Form>
    </Modal>
  );
}

/** The options for reading a table. A change is applied with Enter or when the control loses the focus. */
const Options = ({ texts, onChange }: { texts: OptionTexts; onChange(name: string, text: string): void }) => (
  <details class="import-preview-options">
    <summary>Options</summary>
    {tableOptions.map(({ name, label, about, choices }) => (
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
  </details>
);

function Preview({ done }: { done: Done }) {
  const { records, problems, notes, conversions } = done;
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

import { toast } from './toast.tsx';

/** Text to read and to take along; it scrolls by keyboard too. */
export const Code = ({ label, text }: { label: string; text: string }) => (
  <div class="code">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
    <section tabIndex={0} aria-label={label}>
      <pre>{text}</pre>
    </section>
    <button
      type="button"
      class="button"
      aria-label={`Copy: ${label}`}
      onClick={() =>
        void navigator.clipboard.writeText(text).then(
          () => toast('Copied.'),
          () => toast('The browser did not let it be copied.'),
        )
      }
    >
      Copy
    </button>
  </div>
);

/** JSON with a line for each member; other texts as they are. */
export function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Headers, each in a line. */
export const Headers = ({ headers }: { headers: readonly (readonly [name: string, value: string])[] }) => (
  <dl class="headers">
    {headers.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

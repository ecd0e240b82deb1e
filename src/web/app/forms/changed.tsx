import { Button } from '../controls.tsx';

interface Properties {
  kind: string;
  /** Labels of the fields that were updated in the form. */
  updated: readonly string[];
  /** Labels of the fields that both the user and someone else changed. */
  conflicting: readonly string[];
  onKeep(): void;
  onTake(): void;
}

/** Reports that the record of a form changed since editing started, and lets the user choose where both changed the same fields. */
export function Changed({ kind, updated, conflicting, onKeep, onTake }: Properties) {
  if (updated.length + conflicting.length === 0) return null;
  return (
    <p class="draft changed" role="alert" tabIndex={-1}>
      <span>
        This {kind} changed meanwhile.
        {updated.length > 0 && ` Updated: ${updated.join(', ')}.`}
        {conflicting.length > 0 && ` You both changed: ${conflicting.join(', ')}.`}
      </span>
      {conflicting.length > 0 && (
        <>
          <Button label="Keep mine" look="small" onClick={onKeep} />
          <Button label="Take theirs" look="small" onClick={onTake} />
        </>
      )}
    </p>
  );
}

import type { ComponentChildren } from 'preact';
import { Icon } from './controls.tsx';

/** An active filter. */
interface ActiveFilter {
  key: string;
  /** Its name for screen readers. */
  label: string;
  /** Its text. */
  children: ComponentChildren;
  /** Opens a dialog to edit it. */
  onEdit?(): void;
  onRemove(): void;
}

/** The active filters of a view, each with a button that removes it, and further controls. */
export const FilterBar = ({ filters, children }: { filters: readonly ActiveFilter[]; children: ComponentChildren }) => (
  <div class="filter-bar">
    {filters.map(({ key, label, children: text, onEdit, onRemove }) => (
      <span class="chosen" key={key}>
        {onEdit ? (
          <button type="button" class="filter" aria-label={`Edit filter ${label}`} onClick={onEdit}>
            {text}
          </button>
        ) : (
          text
        )}
        <button type="button" aria-label={`Remove filter ${label}`} onClick={onRemove}>
          <Icon name="close" />
        </button>
      </span>
    ))}
    {children}
  </div>
);

import type { ComponentChildren } from 'preact';
import { Icon } from './controls.tsx';
import './filter-bar.css';

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
  <div class="filter-bar buttons">
    {filters.map(({ key, label, children: text, onEdit, onRemove }) => (
      <span class="chosen" key={key}>
        {onEdit ? (
          <button type="button" class="filter-bar-edit" aria-label={`Edit filter ${label}`} onClick={onEdit}>
            {text}
          </button>
        ) : (
          <span class="chosen-text cut">{text}</span>
        )}
        <button type="button" class="chosen-remove screen-only" aria-label={`Remove filter ${label}`} onClick={onRemove}>
          <Icon name="close" />
        </button>
      </span>
    ))}
    {children}
  </div>
);

import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { nameKey } from '../../../model/html/name-key.ts';
import { suggestDelayMs } from '../delay.ts';
import { Icon } from './controls.tsx';
import './picker.css';

/** An option of a picker. */
export interface Option {
  value: string;
  label: string;
  /** A second line that tells options with the same label apart. */
  note?: string;
}

interface Properties {
  id?: string;
  label: string;
  selected: readonly Option[];
  suggest(text: string, signal: AbortSignal): Promise<Option[]>;
  onChange(selected: Option[]): void;
  /** Allows names that are not among the suggestions. Their value starts with 'new:'. */
  allowNew?: boolean;
  single?: boolean;
  placeholder?: string;
  describedBy?: string;
  invalid?: boolean;
}

/** The suggestions for a text; until they arrive, those of the previous one that contain it. */
function useSuggestions(open: boolean, text: string, suggest: Properties['suggest']): Option[] {
  const [{ options, of }, setSuggestions] = useState<{ options: Option[]; of: string }>({ options: [], of: '' });
  useEffect(() => {
    if (!open) return;
    const controller = new AbortController();
    const timer = setTimeout(
      () =>
        suggest(text, controller.signal)
          .catch(() => [])
          .then((found) => controller.signal.aborted || setSuggestions({ options: found, of: text })),
      suggestDelayMs,
    );
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [open, text, suggest]);
  return of === text ? options : options.filter(({ label }) => nameKey(label).includes(nameKey(text)));
}

/** A combobox to select one or several options by typing a part of their name. */
export function Picker({ id, label, selected, suggest, onChange, allowNew, single, placeholder, describedBy, invalid }: Properties) {
  const ownId = useId();
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const selectedValues = new Set(selected.map(({ value }) => value));
  const matches = useSuggestions(open, text.trim(), suggest).filter(({ value }) => !selectedValues.has(value));
  const isNew = allowNew && text.trim() !== '' && !matches.some((option) => nameKey(option.label) === nameKey(text));
  const options = isNew ? [...matches, { value: `new:${text.trim()}`, label: text.trim(), note: 'New' }] : matches;
  const activeIndex = Math.min(active, options.length - 1);
  const isListOpen = open && options.length > 0;
  const select = (option: Option) => {
    onChange(single ? [option] : [...selected, option]);
    setText('');
    setActive(0);
    setOpen(false);
  };
  const remove = (option: Option) => {
    onChange(selected.filter((each) => each !== option));
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (open) setActive((activeIndex + (event.key === 'ArrowDown' ? 1 : options.length - 1)) % Math.max(1, options.length));
      else setOpen(true);
    } else if (event.key === 'Enter' && isListOpen) {
      event.preventDefault();
      select(options[activeIndex]!);
    } else if (event.key === 'Escape' && open) {
      event.stopPropagation();
      event.preventDefault();
      setOpen(false);
    } else if (event.key === 'Backspace' && text === '' && selected.length) remove(selected.at(-1)!);
  };
  return (
    <div class={`picker${invalid ? ' invalid' : ''}`}>
      {selected.map((option) => (
        <span class="chosen" key={option.value}>
          <bdi class="chosen-text cut">{option.label}</bdi>
          <button type="button" class="chosen-remove" aria-label={`Remove ${option.label}`} onClick={() => remove(option)}>
            <Icon name="close" />
          </button>
        </span>
      ))}
      <input
        ref={input}
        class="picker-input"
        id={id}
        type="text"
        role="combobox"
        autocomplete="off"
        aria-label={id ? undefined : label}
        aria-expanded={isListOpen}
        aria-controls={`${ownId}list`}
        aria-autocomplete="list"
        aria-activedescendant={isListOpen ? `${ownId}${activeIndex}` : undefined}
        aria-describedby={describedBy}
        aria-invalid={invalid}
        placeholder={selected.length ? undefined : placeholder}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setOpen(true);
          setActive(0);
        }}
        onClick={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      <div class="picker-options box" id={`${ownId}list`} role="listbox" aria-label={label} hidden={!isListOpen}>
        {options.map((option, index) => (
          <div
            key={option.value}
            class="picker-option"
            id={`${ownId}${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === activeIndex}
            onMouseDown={(event) => {
              event.preventDefault();
              select(option);
            }}
            onMouseMove={() => setActive(index)}
          >
            <bdi>{option.label}</bdi>
            {option.note && <small>{option.note}</small>}
          </div>
        ))}
      </div>
    </div>
  );
}

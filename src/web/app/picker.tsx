import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';

/** Something to choose: its value, and how people call it. */
export interface Option {
  value: string;
  label: string;
  /** A second line, for those of one name. */
  note?: string;
}

interface Properties {
  id?: string;
  label: string;
  chosen: readonly Option[];
  /** What is suggested for what was typed. */
  suggest(text: string, signal: AbortSignal): Promise<Option[]>;
  onChange(chosen: Option[]): void;
  /** Whether a name that is not among the suggestions may be taken, as a new one. */
  free?: boolean;
  single?: boolean;
  placeholder?: string;
  describedBy?: string;
  invalid?: boolean;
}

/** Milliseconds without a key before suggestions are asked for. */
const pause = 120;

function useSuggestions(open: boolean, text: string, suggest: Properties['suggest']): Option[] {
  const [options, setOptions] = useState<Option[]>([]);
  useEffect(() => {
    if (!open) return;
    const controller = new AbortController();
    const timer = setTimeout(
      () => suggest(text, controller.signal).then(setOptions, () => controller.signal.aborted || setOptions([])),
      pause,
    );
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [open, text, suggest]);
  return options;
}

/** A field to choose one or several of many from, by typing a part of the name. */
export function Picker({ id, label, chosen, suggest, onChange, free, single, placeholder, describedBy, invalid }: Properties) {
  const own = useId();
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const taken = new Set(chosen.map(({ value }) => value));
  const found = useSuggestions(open, text.trim(), suggest).filter(({ value }) => !taken.has(value));
  const isNew = free && text.trim() !== '' && !found.some((option) => option.label.toLowerCase() === text.trim().toLowerCase());
  const options = isNew ? [...found, { value: `new:${text.trim()}`, label: text.trim(), note: 'new' }] : found;
  const at = Math.min(active, options.length - 1);
  const listed = open && options.length > 0;
  const choose = (option: Option) => {
    onChange(single ? [option] : [...chosen, option]);
    setText('');
    setActive(0);
    setOpen(false);
  };
  const drop = (option: Option) => {
    onChange(chosen.filter((each) => each !== option));
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (open) setActive((at + (event.key === 'ArrowDown' ? 1 : options.length - 1)) % Math.max(1, options.length));
      else setOpen(true);
    } else if (event.key === 'Enter' && listed) {
      event.preventDefault();
      choose(options[at]!);
    } else if (event.key === 'Escape' && open) {
      event.stopPropagation();
      event.preventDefault();
      setOpen(false);
    } else if (event.key === 'Backspace' && text === '' && chosen.length) drop(chosen.at(-1)!);
  };
  return (
    <div class="picker" data-invalid={invalid}>
      {chosen.map((option) => (
        <span class="chosen" key={option.value}>
          <bdi>{option.label}</bdi>
          <button type="button" aria-label={`Remove ${option.label}`} onClick={() => drop(option)}>
            <Icon name="close" />
          </button>
        </span>
      ))}
      <input
        ref={input}
        id={id}
        type="text"
        role="combobox"
        autocomplete="off"
        aria-label={id ? undefined : label}
        aria-expanded={listed}
        aria-controls={`${own}list`}
        aria-autocomplete="list"
        aria-activedescendant={listed ? `${own}${at}` : undefined}
        aria-describedby={describedBy}
        aria-invalid={invalid}
        placeholder={chosen.length ? undefined : placeholder}
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
      <div class="options" id={`${own}list`} role="listbox" aria-label={label} hidden={!listed}>
        {options.map((option, index) => (
          <div
            key={option.value}
            id={`${own}${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onMouseDown={(event) => {
              event.preventDefault();
              choose(option);
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

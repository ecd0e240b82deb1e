import type { ComponentChildren, ComponentProps } from 'preact';
import { useEffect } from 'preact/hooks';
import { context } from '../context.ts';
import './notice.css';

const paths = {
  previous: 'M15 5l-7 7 7 7',
  next: 'M9 5l7 7-7 7',
  search: 'M11 4a7 7 0 100 14 7 7 0 000-14zM16 16l4.5 4.5',
  plus: 'M12 5v14M5 12h14',
  close: 'M6 6l12 12M18 6L6 18',
  filter: 'M4 6h16M7 12h10M10 18h4',
  clock: 'M12 4a8 8 0 100 16 8 8 0 000-16zM12 8v4l3 2',
  place: 'M12 21s-6.5-5.6-6.5-11a6.5 6.5 0 0113 0c0 5.4-6.5 11-6.5 11zM12 7.5a2.5 2.5 0 100 5 2.5 2.5 0 000-5z',
  person: 'M12 4a4 4 0 100 8 4 4 0 000-8zM4.5 20c.8-3.6 3.8-5.5 7.5-5.5s6.7 1.9 7.5 5.5',
  ticket:
    'M4 8.5a1.5 1.5 0 011.5-1.5h13a1.5 1.5 0 011.5 1.5v2a1.8 1.8 0 000 3.5v2a1.5 1.5 0 01-1.5 1.5h-13A1.5 1.5 0 014 16v-2a1.8 1.8 0 000-3.5zM14 7v10',
  link: 'M10 14l4-4M8.5 11.5L6 14a3.5 3.5 0 005 5l2.5-2.5M15.5 12.5L18 10a3.5 3.5 0 00-5-5l-2.5 2.5',
  tag: 'M4 4.5h7.5l8.5 8.5-7 7L4.5 11.5zM8.5 8.5h.01',
  phone: 'M6 4h3.5l1.5 4.5-2 1.5a11 11 0 005 5l1.5-2 4.5 1.5V18a2 2 0 01-2 2A14 14 0 014 6a2 2 0 012-2z',
  mail: 'M4 6h16v12H4zM4 7l8 6 8-6',
  star: 'M12 4l2.4 5.1 5.6.7-4.1 3.8 1.1 5.5-5-2.8-5 2.8 1.1-5.5L4 9.8l5.6-.7z',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
} as const;

export type IconName = keyof typeof paths;

/** A decorative icon. The text or label next to it carries the meaning. */
export const Icon = ({ name, class: own = '' }: { name: IconName; class?: string }) => (
  <svg class={`icon ${own}`} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={paths[name]} />
  </svg>
);

interface ButtonProperties extends Omit<ComponentProps<'button'>, 'label' | 'icon'> {
  label?: string;
  icon?: IconName;
  /** Any of `main`, `danger`, `small` and `square`. */
  look?: string;
  /** Makes it a link. */
  href?: string;
  download?: string;
}

/** A button, or a link that looks like one. */
export function Button({ label, icon, look, ...properties }: ButtonProperties) {
  const Element = properties.href === undefined ? 'button' : 'a';
  return (
    <Element type={Element === 'button' ? 'button' : undefined} {...(properties as object)} class={look ? `button ${look}` : 'button'}>
      {icon && <Icon name={icon} />}
      {label}
    </Element>
  );
}

interface FormProperties {
  /** Label of the button that submits it. */
  submit: string;
  isBusy?: boolean;
  class?: string;
  onSubmit(form: HTMLFormElement): unknown;
  /** Called by a Cancel button. Without it there is none. */
  onCancel?(): void;
  children: ComponentChildren;
}

/** A form with its buttons at the end. */
export const Form = ({ submit, isBusy, class: name, onSubmit, onCancel, children }: FormProperties) => (
  <form
    class={name}
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit(event.currentTarget);
    }}
  >
    {children}
    <p class="form-actions">
      <Button label={submit} look="main" type="submit" disabled={isBusy} />
      {onCancel && <Button label="Cancel" onClick={onCancel} />}
    </p>
  </form>
);

/** An error message below a control or a form; nothing if it is empty. */
export const ErrorText = ({ text }: { text: string }) =>
  text ? (
    <p class="error" role="alert">
      {text}
    </p>
  ) : null;

/** A region that scrolls, also with the keyboard. */
export const Scrollable = ({ label, ...properties }: ComponentProps<'section'> & { label: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable.
  <section tabIndex={0} aria-label={label} {...properties} />
);

interface NoticeProperties {
  title: string;
  /** True for what is not an error. */
  quiet?: boolean;
  /** True over an empty grid. */
  isOver?: boolean;
  children?: ComponentChildren;
}

/** A message in the middle of the page, with actions. */
export const Notice = ({ title, quiet, isOver, children }: NoticeProperties) => (
  <div class={`notice${isOver ? ' over box' : ''}`} role={quiet ? undefined : 'alert'}>
    <p class="notice-title">{title}</p>
    <div class="notice-actions">{children}</div>
  </div>
);

let hasNavigated = false;

/** Focuses the main landmark after navigation if the focused element was removed. Keyboard and screen reader users continue from there. */
export function focusMain(): void {
  hasNavigated = true;
  if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true });
}

/** The main landmark of a view. Receives the focus after navigation. */
export const Main = (properties: ComponentProps<'main'>) => (
  <main id="main" tabIndex={-1} ref={(main) => void (main && hasNavigated && focusMain())} {...properties} />
);

/** Sets the title of the page; keeps the current one if it is undefined. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = [title, context.worldName, context.title].filter(Boolean).join(' – ');
  }, [title]);
}

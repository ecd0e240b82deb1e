import type { ComponentChildren, ComponentProps } from 'preact';
import { Icon, type IconName } from './icon.tsx';

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

import type { ComponentChildren, ComponentProps } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { lengthOf } from '../measure.ts';
import { Button } from './controls.tsx';
import { Toasts } from './toast.tsx';
import './layer.css';

/** The ref of a dialog that a click beside it closes. */
function useDialog(onClose: () => void) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const { current } = dialog;
    const isBeside = ({ clientX, clientY }: MouseEvent) => {
      const { left, right, top, bottom } = current!.getBoundingClientRect();
      return clientX < left || clientX > right || clientY < top || clientY > bottom;
    };
    const onClick = (event: MouseEvent) => {
      if (event.target === current && isBeside(event)) onClose();
    };
    current?.addEventListener('click', onClick);
    return () => current?.removeEventListener('click', onClick);
  }, [onClose]);
  return dialog;
}

interface ModalProperties {
  title: string;
  class?: string;
  /** True if only screen readers get the title. */
  hasNoHeading?: boolean;
  /** True if it has the first focus itself, because its first control comes later. */
  isFocused?: boolean;
  onClose(): void;
  children: ComponentChildren;
}

/** A modal dialog. Escape and a click beside it close it. */
export function Modal({ title, class: name, hasNoHeading, isFocused, onClose, children }: ModalProperties) {
  const dialog = useDialog(onClose);
  useLayoutEffect(() => {
    const { current } = dialog;
    if (!current?.open) current?.showModal();
    if (isFocused) current?.focus();
  }, [dialog, isFocused]);
  return (
    <dialog ref={dialog} class={name} aria-label={title} tabIndex={isFocused ? -1 : undefined} onClose={onClose}>
      {!hasNoHeading && <h2>{title}</h2>}
      {children}
      <Toasts />
    </dialog>
  );
}

interface ConfirmProperties {
  title: string;
  text: string;
  verb: string;
  onConfirm(): void;
  onCancel(): void;
}

/** A dialog that asks for confirmation of an irreversible action. */
export const Confirm = ({ title, text, verb, onConfirm, onCancel }: ConfirmProperties) => (
  <Modal title={title} onClose={onCancel}>
    <p>{text}</p>
    <p class="form-actions">
      <Button label={verb} look="danger" onClick={onConfirm} />
      <Button label="Cancel" onClick={onCancel} />
    </p>
  </Modal>
);

/** Places a layer beside its anchor, below or above one that is wider, or in the middle without one. Small screens show a sheet instead: see layer.css. */
function placeBeside(layer: HTMLElement, anchor: Element | null | undefined): void {
  const box = anchor?.getBoundingClientRect();
  const gap = lengthOf(layer, '--layer-gap');
  const { offsetWidth: width, offsetHeight: height } = layer;
  const [right, left] = [(box?.right ?? 0) + gap, (box?.left ?? 0) - gap - width];
  const fits = (x: number) => x >= gap && x + width <= innerWidth - gap;
  const [below, above] = [(box?.bottom ?? 0) + gap, (box?.top ?? 0) - gap - height];
  const last = innerHeight - height - gap;
  const isWide = box !== undefined && box.width > width;
  const x = isWide ? box.right - width : box && fits(right) ? right : box && fits(left) ? left : (innerWidth - width) / 2;
  const y = isWide && below > last && above >= gap ? above : box ? Math.min(isWide ? below : box.top, last) : (innerHeight - height) / 2;
  layer.style.setProperty('--layer-left', `${x}px`);
  layer.style.setProperty('--layer-top', `${Math.max(gap, y)}px`);
}

/** Focuses the first control of a form, and selects its text, so that typing replaces it. */
function focusControl(layer: HTMLElement): void {
  const control = layer.querySelector<HTMLElement>('form :is(input, select, textarea)');
  control?.focus();
  if (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement) control.select();
}

interface Properties {
  label: string;
  /** The class of its color. */
  hue?: string;
  /** True if lists below its controls may be longer than the layer. */
  hasMenu?: boolean;
  busy?: boolean;
  /** The element to place the layer beside. */
  anchor(): Element | null | undefined;
  onClose(): void;
  onKeyDown?(event: KeyboardEvent): void;
  children: ComponentChildren;
}

/** The heading of a layer, with its color. */
export const LayerTitle = (properties: ComponentProps<'h2'>) => <h2 class="layer-title" {...properties} />;

/** A dialog over the calendar, beside an element. Escape, its button and a click beside it close it. */
export function Floating({ label, hue = '', hasMenu = false, busy, anchor, onClose, onKeyDown, children }: Properties) {
  const dialog = useDialog(onClose);
  const closeButton = useRef<HTMLButtonElement>(null);
  const place = useRef(() => {});
  place.current = () => dialog.current && placeBeside(dialog.current, anchor());
  useEffect(() => {
    const onResize = () => place.current();
    addEventListener('resize', onResize);
    return () => removeEventListener('resize', onResize);
  }, []);
  useLayoutEffect(() => {
    const { current } = dialog;
    if (!current) return;
    if (!current.open) current.showModal();
    place.current();
    // A form may be rendered later. Until the user moves it, the focus is on the first control.
    if (document.activeElement === closeButton.current) focusControl(current);
  });
  return (
    <dialog
      ref={dialog}
      class={`layer ${hue} ${hasMenu ? 'overflowing' : ''}`}
      aria-label={label}
      aria-busy={busy}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onKeyDown={onKeyDown}
    >
      <div class="layer-close">
        <Button icon="close" look="square" ref={closeButton} aria-label="Close" onClick={onClose} />
      </div>
      {children}
      <Toasts />
    </dialog>
  );
}

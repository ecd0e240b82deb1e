import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from './controls.tsx';

/** Returns the ref of a dialog that a click beside it closes. */
export function useDialog(onClose: () => void) {
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
  onClose(): void;
  children: ComponentChildren;
}

/** A modal dialog. Escape and a click beside it close it. */
export function Modal({ title, class: name, hasNoHeading, onClose, children }: ModalProperties) {
  const dialog = useDialog(onClose);
  useLayoutEffect(() => {
    const { current } = dialog;
    if (!current?.open) current?.showModal();
  }, [dialog]);
  return (
    <dialog ref={dialog} class={name} aria-label={title} onClose={onClose}>
      {!hasNoHeading && <h2>{title}</h2>}
      {children}
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

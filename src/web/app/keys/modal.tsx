import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** A modal dialog. Escape and a click beside it close it. */
export function Modal({
  label,
  class: name,
  onClose,
  children,
}: {
  label: string;
  class?: string;
  onClose(): void;
  children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const { current } = dialog;
    if (!current?.open) current?.showModal();
    const onClick = ({ target, clientX, clientY }: MouseEvent) => {
      const { left, right, top, bottom } = current!.getBoundingClientRect();
      const isBeside = clientX < left || clientX > right || clientY < top || clientY > bottom;
      if (target === current && isBeside) onClose();
    };
    current?.addEventListener('click', onClick);
    return () => current?.removeEventListener('click', onClick);
  }, [onClose]);
  return (
    <dialog ref={dialog} class={name} aria-label={label} onClose={onClose}>
      {children}
    </dialog>
  );
}

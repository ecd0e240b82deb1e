import { useEffect, useRef } from 'preact/hooks';

/** Returns the ref of a dialog that opens when it is mounted. */
export function useModal() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return dialog;
}

/** A dialog that asks for confirmation of an irreversible action. */
export function Confirm({
  title,
  text,
  verb,
  onConfirm,
  onCancel,
}: {
  title: string;
  text: string;
  verb: string;
  onConfirm(): void;
  onCancel(): void;
}) {
  return (
    <dialog ref={useModal()} aria-labelledby="confirm-title" onClose={onCancel}>
      <h2 id="confirm-title">{title}</h2>
      <p>{text}</p>
      <p class="form-actions">
        <button type="button" class="button danger" onClick={onConfirm}>
          {verb}
        </button>
        <button type="button" class="button" onClick={onCancel}>
          Cancel
        </button>
      </p>
    </dialog>
  );
}

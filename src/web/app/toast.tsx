import { useCallback, useEffect, useState } from 'preact/hooks';
import { Icon } from './controls.tsx';
import { useShortcuts } from './keys/shortcuts.ts';

interface Toast {
  text: string;
  /** Takes back what the message reports. */
  undo?(): void;
}

let show: (toast: Toast) => void = () => {};

/** Shows a message at the bottom of the window for a few seconds, with an Undo button if it has `undo`. Screen readers announce it. */
export const toast = (text: string, undo?: Toast['undo']): void => show({ text, undo });

const displayMs = 8000;

/** Container of the current toast, which stays while it is hovered or focused. The last change can be undone until the next one, also when its message is gone. */
export function Toasts() {
  const [current, setCurrent] = useState<Toast>();
  const [last, setLast] = useState<Toast>();
  const [isPaused, setPaused] = useState(false);

  const replace = useCallback((next: Toast | undefined) => {
    setCurrent(next);
    if (next?.undo) setLast(next);
  }, []);
  show = replace;
  const dismiss = () => {
    replace(undefined);
    setPaused(false);
  };
  const undo = () => {
    dismiss();
    setLast(undefined);
    last?.undo?.();
  };
  useShortcuts([{ key: 'z', label: last ? `Undo: ${last.text}` : 'Undo the last change', run: undo, isActive: () => last !== undefined }]);
  useEffect(() => {
    if (!current || isPaused) return;
    const timer = setTimeout(() => replace(undefined), displayMs);
    return () => clearTimeout(timer);
  }, [current, isPaused, replace]);
  /** Pauses while the container is hovered or focused; events arrive before the focus has moved. */
  const pause = ({ currentTarget }: Event) => setTimeout(() => setPaused((currentTarget as Element).matches(':hover, :focus-within')));
  return (
    <div class="toasts" role="status" onMouseEnter={pause} onMouseLeave={pause} onFocusIn={pause} onFocusOut={pause}>
      {current && (
        <div class="toast">
          <span>{current.text}</span>
          {current.undo && (
            <button type="button" onClick={undo}>
              Undo
            </button>
          )}
          <button type="button" class="plain" aria-label="Dismiss" onClick={dismiss}>
            <Icon name="close" />
          </button>
        </div>
      )}
    </div>
  );
}

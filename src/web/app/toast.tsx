import { useEffect, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';

interface Toast {
  text: string;
  action?: { label: string; run(): void };
}

let show: (toast: Toast | undefined) => void = () => {};

/** Shows a message at the bottom of the window for a few seconds. Screen readers announce it. */
export const toast = (text: string, action?: Toast['action']): void => show({ text, action });

const displayMs = 8000;

/** Container of the current toast, which stays while it is hovered or focused. */
export function Toasts() {
  const [current, setCurrent] = useState<Toast>();
  const [isPaused, setPaused] = useState(false);
  show = setCurrent;
  const dismiss = () => {
    setCurrent(undefined);
    setPaused(false);
  };
  useEffect(() => {
    if (!current || isPaused) return;
    const timer = setTimeout(() => setCurrent(undefined), displayMs);
    return () => clearTimeout(timer);
  }, [current, isPaused]);
  return (
    <div
      class="toasts"
      role="status"
      onMouseEnter={() => setPaused(true)}
      onMouseLeave={() => setPaused(false)}
      onFocusIn={() => setPaused(true)}
      onFocusOut={() => setPaused(false)}
    >
      {current && (
        <div class="toast">
          <span>{current.text}</span>
          {current.action && (
            <button
              type="button"
              onClick={() => {
                dismiss();
                current.action?.run();
              }}
            >
              {current.action.label}
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

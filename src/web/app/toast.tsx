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

/** Container of the current toast. */
export function Toasts() {
  const [current, setCurrent] = useState<Toast>();
  show = setCurrent;
  useEffect(() => {
    if (!current) return;
    const timer = setTimeout(() => setCurrent(undefined), displayMs);
    return () => clearTimeout(timer);
  }, [current]);
  return (
    <div class="toasts" role="status">
      {current && (
        <div class="toast">
          <span>{current.text}</span>
          {current.action && (
            <button
              type="button"
              onClick={() => {
                setCurrent(undefined);
                current.action?.run();
              }}
            >
              {current.action.label}
            </button>
          )}
          <button type="button" class="plain" aria-label="Dismiss" onClick={() => setCurrent(undefined)}>
            <Icon name="close" />
          </button>
        </div>
      )}
    </div>
  );
}

import { useEffect, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';

interface Toast {
  text: string;
  /** What can be done about it. */
  action?: { label: string; run(): void };
}

let show: (toast: Toast | undefined) => void = () => {};

/** Says something at the lower edge for a few seconds, to be read out as well. */
export const toast = (text: string, action?: Toast['action']): void => show({ text, action });

/** Milliseconds that a toast stays. */
const stay = 8000;

/** The place where toasts are shown. */
export function Toasts() {
  const [current, setCurrent] = useState<Toast>();
  show = setCurrent;
  useEffect(() => {
    if (!current) return;
    const timer = setTimeout(() => setCurrent(undefined), stay);
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

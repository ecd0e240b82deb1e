import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from './controls.tsx';
import { useShortcuts } from './keys/shortcuts.ts';

interface Toast {
  text: string;
  action?: { label: string; run(): void };
  /** Called when the message disappears without its action. */
  onExpire?(): void;
}

let show: (toast: Toast) => void = () => {};

/** Shows a message at the bottom of the window for a few seconds. Screen readers announce it. */
export const toast = (text: string, action?: Toast['action'], onExpire?: Toast['onExpire']): void => show({ text, action, onExpire });

const displayMs = 8000;

/** Container of the current toast, which stays while it is hovered or focused. */
export function Toasts() {
  const [current, setCurrent] = useState<Toast>();
  const [isPaused, setPaused] = useState(false);
  const latest = useRef<Toast>(undefined);
  const replace = useCallback((next: Toast | undefined, hasRun = false) => {
    if (!hasRun) latest.current?.onExpire?.();
    latest.current = next;
    setCurrent(next);
  }, []);
  show = replace;
  const dismiss = (hasRun = false) => {
    replace(undefined, hasRun);
    setPaused(false);
  };
  const runAction = () => {
    const action = latest.current?.action;
    dismiss(true);
    action?.run();
  };
  useShortcuts([{ key: 'z', label: 'Undo the last change', run: runAction, isActive: () => latest.current?.action !== undefined }]);
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
          {current.action && (
            <button type="button" onClick={runAction}>
              {current.action.label}
            </button>
          )}
          <button type="button" class="plain" aria-label="Dismiss" onClick={() => dismiss()}>
            <Icon name="close" />
          </button>
        </div>
      )}
    </div>
  );
}

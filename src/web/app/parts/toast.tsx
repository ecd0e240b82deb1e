import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';
import { useShortcuts } from '../keys/shortcuts.ts';
import { Icon } from './controls.tsx';
import './toast.css';

interface Toast {
  text: string;
  /** Takes back what the message reports. */
  undo?(): void;
}

let current: Toast | undefined;
/** The change that can be undone, also when its message is gone: until the next one. */
let lastChange: Toast | undefined;
const listeners = new Set<() => void>();
const notify = () => {
  for (const listener of listeners) listener();
};
/** The containers, in the order in which they opened. The last one shows the message. */
const containers: object[] = [];

function replace(next: Toast | undefined): void {
  current = next;
  if (next?.undo) lastChange = next;
  notify();
}

/** Shows a message at the bottom of the window for a few seconds, with an Undo button if it has `undo`. Screen readers announce it. */
export const toast = (text: string, undo?: Toast['undo']): void => replace({ text, undo });

function undo(): void {
  const change = lastChange;
  lastChange = undefined;
  replace(undefined);
  change?.undo?.();
}

/** Rerenders when the message changes. */
function useToast(): Toast | undefined {
  const [, update] = useReducer((count: number, _: undefined) => count + 1, 0);
  useEffect(() => {
    const listener = () => update(undefined);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  return current;
}

const displayMs = 8000;

/** The message, which stays while it is hovered or focused. An open dialog has a container, because all outside of it is inert. */
export function Toasts() {
  const container = useRef({});
  const latest = useToast();
  const message = containers.at(-1) === container.current ? latest : undefined;
  useLayoutEffect(() => {
    const { current: own } = container;
    containers.push(own);
    notify();
    return () => {
      containers.splice(containers.indexOf(own), 1);
      notify();
    };
  }, []);
  const [isPaused, setPaused] = useState(false);
  useEffect(() => {
    if (!message || isPaused) return;
    const timer = setTimeout(() => current === message && replace(undefined), displayMs);
    return () => clearTimeout(timer);
  }, [message, isPaused]);
  /** Pauses while the container is hovered or focused; events arrive before the focus has moved. */
  const pause = ({ currentTarget }: Event) => setTimeout(() => setPaused((currentTarget as Element).matches(':hover, :focus-within')));
  return (
    <div class="toast-area screen-only" role="status" onMouseEnter={pause} onMouseLeave={pause} onFocusIn={pause} onFocusOut={pause}>
      {message && (
        <div class="toast">
          <span>{message.text}</span>
          {message.undo && (
            <button type="button" class="toast-button toast-undo" onClick={undo}>
              Undo
            </button>
          )}
          <button
            type="button"
            class="toast-button"
            aria-label="Dismiss"
            onClick={() => {
              setPaused(false);
              replace(undefined);
            }}
          >
            <Icon name="close" />
          </button>
        </div>
      )}
    </div>
  );
}

/** The messages of the page, and the key that undoes the last change. */
export function PageToasts() {
  useToast();
  const label = lastChange ? `Undo: ${lastChange.text}` : 'Undo the last change';
  useShortcuts([{ key: 'z', label, run: undo, isActive: () => lastChange !== undefined }]);
  return <Toasts />;
}

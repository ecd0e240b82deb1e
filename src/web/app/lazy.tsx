import type { ComponentChild, ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from './controls.tsx';
import { Main } from './landmark.tsx';
import { Notice } from './notice.tsx';
import { retryDelayMs, setFailing } from './server/connection.ts';

/** Attempts after which the view offers to reload the page: browsers may remember a failed script. */
const maxAttempts = 4;

const preloads: (() => Promise<void>)[] = [];

/** Loads the parts of the calendar, one after the other, so that they are there when the connection is lost. */
export async function preloadParts(): Promise<void> {
  for (const preload of preloads) await preload().catch(() => {});
}

/** Returns a component whose script is loaded when it is first rendered. Until then, `placeholder` is shown. */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>, placeholder: ComponentChild = <Main aria-busy="true" />) {
  let loaded: ComponentType<P> | undefined;
  const preload = async () => {
    loaded ??= await load();
  };
  // Whole views are loaded when they are opened.
  if (placeholder === null) preloads.push(preload);
  return (properties: P) => {
    const [attempts, setAttempts] = useState(0);
    const [, setReady] = useState(false);
    useEffect(() => {
      if (loaded || attempts >= maxAttempts) return;
      const source = {};
      let timer: ReturnType<typeof setTimeout> | undefined;
      preload().then(
        () => setReady(true),
        () => {
          setFailing(source, true);
          timer = setTimeout(() => setAttempts(attempts + 1), retryDelayMs(attempts + 1));
        },
      );
      return () => {
        clearTimeout(timer);
        setFailing(source, false);
      };
    }, [attempts]);
    if (loaded) {
      const View = loaded;
      return <View {...properties} />;
    }
    if (attempts < maxAttempts) return placeholder;
    const notice = (
      <Notice title="Couldn’t load this view">
        <Button label="Reload" look="main" onClick={() => location.reload()} />
      </Notice>
    );
    return placeholder ? <Main>{notice}</Main> : notice;
  };
}

import type { ComponentChild, ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Main } from './landmark.tsx';
import { Notice } from './notice.tsx';

/** Returns a component whose script is loaded when it is first rendered, or when `preload` is called. Until then, `placeholder` is shown. */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>, placeholder: ComponentChild = <Main aria-busy="true" />) {
  let loaded: ComponentType<P> | undefined;
  const preload = async () => {
    loaded ??= await load();
  };
  const Lazy = (properties: P) => {
    const [state, setState] = useState<'loading' | 'ready' | 'failed'>(loaded ? 'ready' : 'loading');
    useEffect(() => {
      if (state === 'loading')
        preload().then(
          () => setState('ready'),
          () => setState('failed'),
        );
    }, [state]);
    if (loaded) {
      const View = loaded;
      return <View {...properties} />;
    }
    if (state === 'loading') return placeholder;
    return (
      <Main>
        <Notice title="Couldn’t load this view">
          <p>The server can’t be reached, or it was updated.</p>
          <button type="button" class="button main" onClick={() => location.reload()}>
            Reload
          </button>
        </Notice>
      </Main>
    );
  };
  return Object.assign(Lazy, { preload });
}

import { useState } from 'preact/hooks';
import { isOwn } from './markup.ts';
import type { Image } from './record.ts';

/** A picture. One of another host is loaded when somebody asks for it: the page by itself asks nobody but its server. */
export function Picture({ image, alt }: { image: Image; alt: string }) {
  const [wanted, setWanted] = useState(isOwn(image.url));
  const [broken, setBroken] = useState(false);
  if (broken) return <p class="picture quiet">The picture cannot be loaded.</p>;
  if (wanted)
    return <img class="picture" src={image.url} alt={alt} width={image.width} height={image.height} onError={() => setBroken(true)} />;
  return (
    <button type="button" class="picture offer" onClick={() => setWanted(true)}>
      Show the picture from {new URL(image.url).host}
    </button>
  );
}

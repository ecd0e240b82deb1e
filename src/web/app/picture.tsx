import { useState } from 'preact/hooks';
import { isSameOrigin } from './markup.ts';
import type { Image } from './record.ts';

/** An image. Images on other hosts are loaded only when the user clicks the button. */
export function Picture({ image, alt }: { image: Image; alt: string }) {
  const [isShown, setShown] = useState(isSameOrigin(image.url));
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return <p class="picture quiet">Couldn’t load the image.</p>;
  if (isShown)
    return <img class="picture" src={image.url} alt={alt} width={image.width} height={image.height} onError={() => setBroken(true)} />;
  return (
    <button type="button" class="picture offer" onClick={() => setShown(true)}>
      Load image from {new URL(image.url).host}
    </button>
  );
}

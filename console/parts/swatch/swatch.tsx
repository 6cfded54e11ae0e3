/** A picture of the server that needs credentials: fetched and drawn, because an image element sends none. */
import { useEffect, useRef } from 'preact/hooks';
import { useRest } from '../../rest/cache.ts';
import { callService, type RestReply } from '../../rest/client.ts';

interface SwatchProps {
  /** Below the context path, such as `rest/styles/line.png`. */
  readonly path: string;
  /** For screen readers; without it, the picture decorates. */
  readonly label?: string;
  readonly class?: string;
}

/** At most four pictures are requested at once. */
const MAX_AT_ONCE = 4;
let running = 0;
const waiting: (() => void)[] = [];

async function fetchPicture(path: string, signal: AbortSignal): Promise<RestReply<ImageBitmap>> {
  if (running >= MAX_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  running += 1;
  try {
    const reply = await callService(path, { accept: 'image/png', signal });
    return { body: await createImageBitmap(await reply.blob()), etag: null, change: null, total: null };
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

/** A missing picture leaves the ground; a changed style replaces its picture. */
export function Swatch({ path, label, class: name = '' }: SwatchProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const picture = useRest<ImageBitmap>({ path, read: fetchPicture }).data?.body;
  useEffect(() => {
    if (picture === undefined || canvas.current === null) return;
    canvas.current.width = picture.width;
    canvas.current.height = picture.height;
    canvas.current.getContext('2d')?.drawImage(picture, 0, 0);
    canvas.current.dataset['drawn'] = 'yes';
  }, [picture]);
  return (
    <canvas
      ref={canvas}
      width={20}
      height={20}
      class={`swatch ${name}`}
      role={label === undefined ? undefined : 'img'}
      aria-label={label}
      aria-hidden={label === undefined ? true : undefined}
    />
  );
}

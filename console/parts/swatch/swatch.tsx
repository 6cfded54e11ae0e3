/** A picture of the server that needs credentials: fetched and drawn, because an image element sends none. */
import { useEffect, useRef } from 'preact/hooks';
import { callService } from '../../rest/client.ts';

interface SwatchProps {
  /** Below the context path, such as `rest/styles/line.png`. */
  readonly path: string;
  /** For screen readers; without it, the picture decorates. */
  readonly label?: string;
  readonly class?: string;
}

/** At most four pictures are requested at once. */
const MAX_AT_ONCE = 4;
/** Lists show few different styles. */
const MAX_KEPT = 200;

const pictures = new Map<string, Promise<ImageBitmap>>();
let running = 0;
const waiting: (() => void)[] = [];

function loadPicture(path: string): Promise<ImageBitmap> {
  const known = pictures.get(path);
  if (known !== undefined) return known;
  if (pictures.size >= MAX_KEPT) pictures.clear();
  const loading = fetchPicture(path);
  pictures.set(path, loading);
  loading.catch(() => pictures.delete(path));
  return loading;
}

async function fetchPicture(path: string): Promise<ImageBitmap> {
  if (running >= MAX_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  running += 1;
  try {
    const reply = await callService(path, { accept: 'image/png' });
    return await createImageBitmap(await reply.blob());
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

export function Swatch({ path, label, class: name = '' }: SwatchProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let isCurrent = true;
    loadPicture(path).then(
      (picture) => {
        if (!isCurrent || canvas.current === null) return;
        canvas.current.width = picture.width;
        canvas.current.height = picture.height;
        canvas.current.getContext('2d')?.drawImage(picture, 0, 0);
        canvas.current.dataset['drawn'] = 'yes';
      },
      // A missing picture leaves the ground.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [path]);
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

/**
 * Puts the bytes of a style and of its images on the disk before the change that names them: there may be thousands of
 * files, and the changes of all others would have to wait for them.
 */
import { createFewAtATime } from '../../lib/few-at-a-time.ts';
import type { Contents } from '../../storage/contents.ts';
import type { SentContent, SentImage } from './sent-content.ts';

/** Bytes that are on the disk, whether a record names them or not. */
export interface KeptBytes {
  /** Their hash. */
  readonly content: string;
  readonly sizeBytes: number;
}

export interface KeptImage extends KeptBytes {
  readonly path: string;
}

export interface KeptContent extends KeptBytes, Pick<SentContent, 'format' | 'charset' | 'graphics'> {
  readonly images: readonly KeptImage[] | undefined;
}

/** Disks write several files together faster than one after the other; each of them is in memory meanwhile. */
const FILES_AT_ONCE = 8;

/** To be called when nothing is known that speaks against the change: bytes that no record names stay for good. */
export async function keepContent(contents: Contents, sent: SentContent): Promise<KeptContent> {
  const { format, charset, graphics, images } = sent;
  const atOnce = createFewAtATime(FILES_AT_ONCE);
  const keepImage = ({ path, bytes }: SentImage) =>
    atOnce(async () => ({ path, ...(await keep(contents, await bytes())) }));
  return {
    images: images && (await Promise.all(images.map(keepImage))),
    ...(await keep(contents, sent.bytes)),
    format,
    charset,
    graphics,
  };
}

async function keep(contents: Contents, bytes: Uint8Array): Promise<KeptBytes> {
  return { content: await contents.keep(bytes), sizeBytes: bytes.length };
}

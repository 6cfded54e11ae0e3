/**
 * Puts the bytes of a style and of its images on the disk before the change that names them: there may be thousands of
 * files, and the changes of all others would have to wait for them.
 */
import { allSettled } from '../../lib/all-settled.ts';
import { createFewAtATime } from '../../lib/few-at-a-time.ts';
import type { FileStoreWriter } from '../../records/file-keeper.ts';
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

export async function keepContent(keeper: FileStoreWriter, sent: SentContent): Promise<KeptContent> {
  const { format, charset, graphics, images } = sent;
  const atOnce = createFewAtATime(FILES_AT_ONCE);
  const keepImage = ({ path, bytes }: SentImage) =>
    atOnce(async () => ({ path, ...(await keep(keeper, await bytes())) }));
  return {
    images: images && (await allSettled(images.map(keepImage))),
    ...(await keepDocument(keeper, sent)),
    format,
    charset,
    graphics,
  };
}

async function keepDocument(keeper: FileStoreWriter, { bytes, file }: SentContent): Promise<KeptBytes> {
  if (file === undefined) return keep(keeper, bytes);
  await keeper.storeFile(file);
  return { content: file.hash, sizeBytes: bytes.length };
}

async function keep(keeper: FileStoreWriter, bytes: Uint8Array): Promise<KeptBytes> {
  return { content: await keeper.storeBytes(bytes), sizeBytes: bytes.length };
}

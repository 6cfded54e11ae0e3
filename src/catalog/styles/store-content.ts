/**
 * Writes the bytes of a style and its images to the disk before the transaction that refers to them: a package may have
 * thousands of files, which would block other changes.
 */
import { allSettled } from '../../lib/async/all-settled.ts';
import { createConcurrencyLimiter } from '../../lib/async/concurrency-limiter.ts';
import type { FileStoreWriter } from '../../records/files/file-store-writer.ts';
import type { SentContent, SentImage } from './sent-content.ts';

/** Bytes on the disk, with or without a record. */
export interface StoredBytes {
  /** The hash of the bytes. */
  readonly content: string;
  readonly sizeBytes: number;
  /** The size of a font in memory. */
  readonly unpackedBytes?: number;
}

export interface StoredImage extends StoredBytes {
  readonly path: string;
}

export interface StoredStyleContent
  extends StoredBytes,
    Pick<SentContent, 'format' | 'charset' | 'graphics' | 'unverified'> {
  readonly images: readonly StoredImage[] | undefined;
}

export type ContentToStore = Pick<
  SentContent,
  'bytes' | 'file' | 'format' | 'charset' | 'graphics' | 'images' | 'unverified'
>;

/** Disks write several files concurrently faster than sequentially; each is in memory meanwhile. */
const FILES_AT_ONCE = 8;

export async function storeContent(keeper: FileStoreWriter, sent: ContentToStore): Promise<StoredStyleContent> {
  const { format, charset, graphics, images, unverified } = sent;
  const atOnce = createConcurrencyLimiter(FILES_AT_ONCE);
  const storeImage = ({ path, bytes }: SentImage) =>
    atOnce(async () => ({ path, ...(await storeBytes(keeper, await bytes())) }));
  return {
    images: images && (await allSettled(images.map(storeImage))),
    ...(await storeDocument(keeper, sent)),
    format,
    charset,
    graphics,
    ...(unverified === undefined ? {} : { unverified }),
  };
}

async function storeDocument(keeper: FileStoreWriter, { bytes, file }: ContentToStore): Promise<StoredBytes> {
  if (file === undefined) return storeBytes(keeper, bytes);
  await keeper.storeFile(file);
  return { content: file.hash, sizeBytes: bytes.length };
}

async function storeBytes(keeper: FileStoreWriter, bytes: Uint8Array): Promise<StoredBytes> {
  return { content: await keeper.storeBytes(bytes), sizeBytes: bytes.length };
}

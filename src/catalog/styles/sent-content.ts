/** What a client sends as the content of a style, read and checked before anything is changed. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArchiveLimits } from '../../gates/archive-gate.ts';
import { allSettled } from '../../lib/async/all-settled.ts';
import { problem } from '../../lib/problems/problem.ts';
import { limitSentences } from '../../lib/text/wording.ts';
import type { Files, HashedFile } from '../../records/files/files.ts';
import { hashBytes } from '../../storage/blobs/port.ts';
import type { ContentDescription } from '../../styling/content/describe-content.ts';
import { findStyleFormat, parseCharset } from '../../styling/content/style-format.ts';
import type { GraphicReference } from '../../styling/graphics/check-graphics.ts';
import { unpackPackage } from '../../styling/package/read-package.ts';
import type { StyleProcessor } from '../../styling/style-processor.ts';
import { ANY_IMAGE, type WrittenFormat } from '../kinds/style.ts';

/** A body that has not been read yet. */
export interface SentBody {
  readonly mediaType: string | undefined;
  /** With its parameters. */
  readonly contentType: string;
  saveTo(file: string, maxBytes: number): Promise<number>;
  bytes(maxBytes: number): Promise<Uint8Array>;
}

export interface SentImage {
  readonly path: string;
  bytes(): Promise<Uint8Array>;
}

export interface SentContent {
  readonly bytes: Uint8Array;
  /** Where the bytes are on the disk already; there until the work with them has ended. */
  readonly file?: HashedFile;
  readonly format: WrittenFormat;
  readonly charset: string | null;
  /** What the document calls itself. */
  readonly styleName: string | undefined;
  /** The layers that a style over several of them is for. */
  readonly layerNames: readonly string[];
  /** The images in the folder of the style that it refers to; `*` if they are not all known. */
  readonly graphics: readonly string[];
  /** What it refers to, wherever it lies; the first of many. */
  readonly references: readonly GraphicReference[];
  readonly referenceCount: number;
  /** What is not as it should be and was understood nevertheless. */
  readonly warnings: readonly string[];
  /** What came with it; undefined unless it came in a package. */
  readonly images: readonly SentImage[] | undefined;
  /** What came with it and is not kept. */
  readonly ignored: readonly string[];
}

export interface ContentReadContext {
  readonly work: StyleProcessor;
  readonly files: Files;
  readonly archiveLimits: ArchiveLimits;
  /** Of the document of a style. */
  readonly maxContentBytes: number;
  readonly maxPackageBytes: number;
}

/** How a body is read. */
export interface ContentReadOptions {
  /** Taken as it is. */
  readonly raw: boolean;
  /** Also what cannot be misunderstood must be as it should be. */
  readonly strict: boolean;
}

const archiveTypes: readonly string[] = ['application/zip', 'application/x-zip-compressed', 'multipart/x-zip'];

export function isArchive(mediaType: string | undefined): boolean {
  return archiveTypes.includes(mediaType ?? '');
}

/** From here on a document takes longer to be read than the disk takes to have it. */
const LARGE_BYTES = 65_536;

/** Reads a body, and lets `work` use what it holds; the images of a package are there until then only. */
export async function withSentContent<T>(
  reading: ContentReadContext,
  body: SentBody,
  options: ContentReadOptions,
  work: (sent: SentContent) => Promise<T>,
): Promise<T> {
  if (!isArchive(body.mediaType)) {
    return withTextContent(reading, body, options, work);
  }
  const staging = await reading.files.createStaging('style');
  try {
    const archive = join(staging.path, 'body');
    if ((await body.saveTo(archive, reading.maxPackageBytes)) === 0) {
      throw problem('upload-empty', { expected: 'a ZIP archive with an SLD and its images' });
    }
    return await work(await readPackage(reading, archive, join(staging.path, 'content'), options));
  } finally {
    await staging.discard();
  }
}

async function withTextContent<T>(
  { work, files, maxContentBytes }: ContentReadContext,
  body: SentBody,
  { raw, strict }: ContentReadOptions,
  use: (sent: SentContent) => Promise<T>,
): Promise<T> {
  const declared = findStyleFormat(body.contentType);
  if (declared === undefined) {
    throw problem('style-version-unknown', { contentType: body.contentType });
  }
  const charset = parseCharset(body.contentType);
  const bytes = await body.bytes(maxContentBytes);
  const expected = { ...declared, strict, ...(charset === undefined ? {} : { charset }) };
  const describeContent = () => work.describe(raw ? { bytes, unchecked: expected } : { bytes, expected });
  const sent = (description: ContentDescription) => ({
    ...buildContent(bytes, description),
    images: undefined,
    ignored: [],
  });
  if (bytes.length < LARGE_BYTES) {
    return use(sent(await describeContent()));
  }
  const staging = await files.createStaging('style');
  try {
    const [description, file] = await allSettled([
      describeContent(),
      writeHashedFile(bytes, join(staging.path, 'body')),
    ]);
    return await use({ ...sent(description), file });
  } finally {
    await staging.discard();
  }
}

async function writeHashedFile(bytes: Uint8Array, file: string): Promise<HashedFile> {
  await writeFile(file, bytes, { flush: true, mode: 0o600 });
  return { file, hash: hashBytes(bytes) };
}

async function readPackage(
  { work, archiveLimits, maxContentBytes }: ContentReadContext,
  archive: string,
  folder: string,
  { raw, strict }: ContentReadOptions,
): Promise<SentContent> {
  const { style, images, ignored, warnings } = await unpackPackage(archive, folder, {
    limits: archiveLimits,
    checkImage: work.checkImage,
  });
  if (style.bytes.length > maxContentBytes) {
    throw problem('archive-too-large', {
      entry: style.name,
      reason: `a style may have ${maxContentBytes} bytes, and it has ${style.bytes.length}`,
    });
  }
  const { bytes } = style;
  const subject = `The file '${style.name}' of the package`;
  const description = await work.describe(
    raw
      ? { bytes, unchecked: { language: 'sld', version: '1.0.0' } }
      : { bytes, expected: { language: 'sld', subject, strict } },
  );
  return {
    ...buildContent(bytes, description),
    // Clients name a package after its file, not after what the document in it is called.
    styleName: style.name.replace(/\.sld$/i, ''),
    images: images.map(({ name, path }) => ({ path: name, bytes: () => readFile(path) })),
    ignored,
    // A client that wants no check of the style wants no warnings either.
    warnings: raw ? description.warnings : [...description.warnings, ...limitSentences(warnings)],
  };
}

/** A content as it was sent and read. */
export function buildContent(
  bytes: Uint8Array,
  { localGraphics, knowsGraphics, ...description }: ContentDescription,
): Omit<SentContent, 'images' | 'ignored'> {
  return { ...description, bytes, graphics: [...localGraphics, ...(knowsGraphics ? [] : [ANY_IMAGE])] };
}

/** Reads and validates the content of a style that a client sends, before anything is changed. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArchiveLimits } from '../../gates/archive-gate.ts';
import { allSettled } from '../../lib/async/all-settled.ts';
import { Problem, problem } from '../../lib/problems/problem.ts';
import type { UnverifiedPolicy } from '../../lib/problems/unverified.ts';
import { limitSentences } from '../../lib/text/wording.ts';
import type { Files, HashedFile } from '../../records/files/files.ts';
import { hashContent } from '../../storage/blobs/port.ts';
import type { ContentDescription } from '../../styling/content/describe-content.ts';
import { findStyleFormat, parseCharset } from '../../styling/content/style-format.ts';
import type { GraphicReference } from '../../styling/graphics/check-graphics.ts';
import { unpackPackage } from '../../styling/package/read-package.ts';
import type { StyleProcessor } from '../../styling/style-processor.ts';
import { ANY_IMAGE, type WrittenFormat } from '../kinds/style.ts';
import type { Unverified } from '../kinds/unverified.ts';

/** A body that has not been read yet. */
export interface SentBody {
  readonly mediaType: string | undefined;
  /** With its parameters. */
  readonly contentType: string;
  saveTo(file: string, options: { readonly maxBytes: number }): Promise<number>;
  bytes(maxBytes: number): Promise<Uint8Array>;
}

export interface SentImage {
  readonly path: string;
  bytes(): Promise<Uint8Array>;
}

export interface SentContent {
  readonly bytes: Uint8Array;
  /** The file with the bytes, if they are already on the disk; it exists until the work ends. */
  readonly file?: HashedFile;
  readonly format: WrittenFormat;
  readonly charset: string | null;
  /** The name in the document. */
  readonly styleName: string | undefined;
  /** The layer names of a style with several layers. */
  readonly layerNames: readonly string[];
  /** The images in the folder of the style that it refers to; `*` if not all of them are known. */
  readonly graphics: readonly string[];
  /** The first graphics that it refers to, at any location. */
  readonly references: readonly GraphicReference[];
  readonly referenceCount: number;
  /** Irregularities that were tolerated. */
  readonly warnings: readonly string[];
  /** Why the content is invalid, if it is stored nevertheless. */
  readonly unverified?: Unverified;
  /** The images of the package; undefined for a single document. */
  readonly images: readonly SentImage[] | undefined;
  /** The files of the package that are not stored. */
  readonly ignored: readonly string[];
}

export interface ContentReadContext {
  readonly work: StyleProcessor;
  readonly files: Files;
  readonly archiveLimits: ArchiveLimits;
  /** The size limit of a style document. */
  readonly maxContentBytes: number;
  readonly maxPackageBytes: number;
}

/** How a body is read. */
export interface ContentReadOptions {
  /** Store without validation. */
  readonly raw: boolean;
  /** Reject irregularities that are otherwise tolerated. */
  readonly strict: boolean;
  /** Set to store invalid content unchanged. */
  readonly unverified?: UnverifiedPolicy | undefined;
}

const archiveTypes: readonly string[] = ['application/zip', 'application/x-zip-compressed', 'multipart/x-zip'];

export function isArchive(mediaType: string | undefined): boolean {
  return archiveTypes.includes(mediaType ?? '');
}

/** From this size on, parsing takes longer than writing to the disk. */
const LARGE_BYTES = 65_536;

/** Reads a body and passes its content to `work`; the images of a package exist only until `work` ends. */
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
    if ((await body.saveTo(archive, { maxBytes: reading.maxPackageBytes })) === 0) {
      throw problem('upload-empty', { expected: 'a ZIP archive with a style and its images' });
    }
    return await work(await readPackage(reading, archive, join(staging.path, 'content'), options));
  } finally {
    await staging.discard();
  }
}

async function withTextContent<T>(
  { work, files, maxContentBytes }: ContentReadContext,
  body: SentBody,
  { raw, strict, unverified }: ContentReadOptions,
  use: (sent: SentContent) => Promise<T>,
): Promise<T> {
  const declared = findStyleFormat(body.contentType);
  if (declared === undefined) {
    throw problem('style-version-unknown', { contentType: body.contentType });
  }
  const charset = parseCharset(body.contentType);
  const bytes = await body.bytes(maxContentBytes);
  const expected = { ...declared, strict, ...(charset === undefined ? {} : { charset }) };
  const check = () => work.describe(raw ? { bytes, unchecked: expected } : { bytes, expected });
  const describeContent = () =>
    describeOrAccept(unverified, check, () => work.describe({ bytes, unchecked: expected }));
  const sent = (description: AcceptedDescription) => ({
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
  return { file, ...hashContent(bytes) };
}

async function readPackage(
  { work, archiveLimits, maxContentBytes }: ContentReadContext,
  archive: string,
  folder: string,
  { raw, strict, unverified }: ContentReadOptions,
): Promise<SentContent> {
  const { style, images, ignored, warnings } = await unpackPackage(archive, folder, {
    limits: archiveLimits,
    checkImage: work.checkImage,
  });
  if (style.bytes.length > maxContentBytes) {
    throw problem('archive-too-large', {
      entry: style.name,
      reason: `the limit for a style is ${maxContentBytes} bytes, but it has ${style.bytes.length}`,
    });
  }
  const { bytes, language } = style;
  const subject = `The file '${style.name}' of the package`;
  const unchecked = () => work.describe({ bytes, unchecked: { language, version: '1.0.0' } });
  const check = () => (raw ? unchecked() : work.describe({ bytes, expected: { language, subject, strict } }));
  const description = await describeOrAccept(unverified, check, unchecked);
  return {
    ...buildContent(bytes, description),
    // Clients name a package after its file, not after the name in the document.
    styleName: style.name.replace(/\.(?:sld|json)$/i, ''),
    images: images.map(({ name, path }) => ({ path: name, bytes: () => readFile(path) })),
    ignored,
    // A client that skips validation gets no warnings either.
    warnings: raw ? description.warnings : [...description.warnings, ...limitSentences(warnings)],
  };
}

type AcceptedDescription = ContentDescription & { readonly unverified?: Unverified };

/** Describes content without a check if it is invalid and the client accepts that. */
async function describeOrAccept(
  policy: UnverifiedPolicy | undefined,
  check: () => Promise<ContentDescription>,
  describeUnchecked: () => Promise<ContentDescription>,
): Promise<AcceptedDescription> {
  try {
    return await check();
  } catch (error) {
    if (policy === undefined || !(error instanceof Problem) || error.status >= 500) throw error;
    const description = await describeUnchecked();
    policy.report(error);
    return { ...description, unverified: { code: error.code, message: error.message } };
  }
}

/** Builds a content from the sent bytes and their description. */
export function buildContent(
  bytes: Uint8Array,
  { localGraphics, knowsGraphics, ...description }: AcceptedDescription,
): Omit<SentContent, 'images' | 'ignored'> {
  return { ...description, bytes, graphics: [...localGraphics, ...(knowsGraphics ? [] : [ANY_IMAGE])] };
}

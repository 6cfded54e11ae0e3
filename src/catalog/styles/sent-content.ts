/** What a client sends as the content of a style, read and checked before anything is changed. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArchiveLimits } from '../../gates/archive-gate.ts';
import { decodeText } from '../../lib/decode-text.ts';
import { Problem, problem } from '../../lib/problem.ts';
import { hasDoctype } from '../../lib/xml/doctype.ts';
import type { Files } from '../../records/files.ts';
import { type ExpectedContent, readContent, type StyleContent } from '../../styling/content/read-content.ts';
import { charsetOfMediaType, formatOfMediaType } from '../../styling/content/style-format.ts';
import { classifyGraphics, type GraphicReference } from '../../styling/graphics/check-graphics.ts';
import { firstStyleName } from '../../styling/model/references.ts';
import { unpackPackage } from '../../styling/package/read-package.ts';
import { ANY_IMAGE, type WrittenFormat } from './style.ts';

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
  readonly format: WrittenFormat;
  readonly charset: string | null;
  /** What the document calls itself. */
  readonly styleName: string | undefined;
  /** The images in the folder of the style that it refers to; `*` if they are not all known. */
  readonly graphics: readonly string[];
  /** All it refers to, wherever it lies. */
  readonly references: readonly GraphicReference[];
  /** What came with it; undefined unless it came in a package. */
  readonly images: readonly SentImage[] | undefined;
  /** What came with it and is not kept. */
  readonly ignored: readonly string[];
}

export interface ContentReading {
  readonly files: Files;
  readonly archiveLimits: ArchiveLimits;
  /** Of the document of a style. */
  readonly maxContentBytes: number;
  readonly maxPackageBytes: number;
}

const archiveTypes: readonly string[] = ['application/zip', 'application/x-zip-compressed', 'multipart/x-zip'];

/** More images than this in one style are not told apart any more. */
const MAX_GRAPHICS = 1_000;

export function isArchive(mediaType: string | undefined): boolean {
  return archiveTypes.includes(mediaType ?? '');
}

/** Reads a body, and lets `work` use what it holds; the images of a package are there until then only. */
export async function withSentContent<T>(
  reading: ContentReading,
  body: SentBody,
  options: { readonly raw: boolean },
  work: (sent: SentContent) => Promise<T>,
): Promise<T> {
  if (!isArchive(body.mediaType)) {
    return work(await readText(reading, body, options));
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

async function readText(
  { maxContentBytes }: ContentReading,
  body: SentBody,
  { raw }: { readonly raw: boolean },
): Promise<SentContent> {
  const declared = formatOfMediaType(body.contentType);
  if (declared === undefined) {
    throw problem('style-version-unknown', { contentType: body.contentType });
  }
  const charset = charsetOfMediaType(body.contentType);
  const bytes = await body.bytes(maxContentBytes);
  const expected = { ...declared, ...(charset === undefined ? {} : { charset }) };
  return {
    ...(raw ? readRaw(bytes, expected) : describeContent(bytes, readContent(bytes, expected))),
    images: undefined,
    ignored: [],
  };
}

async function readPackage(
  { archiveLimits, maxContentBytes }: ContentReading,
  archive: string,
  folder: string,
  { raw }: { readonly raw: boolean },
): Promise<SentContent> {
  const { style, images, ignored } = await unpackPackage(archive, folder, { limits: archiveLimits });
  if (style.bytes.length > maxContentBytes) {
    throw problem('archive-too-large', {
      entry: style.name,
      reason: `a style may have ${maxContentBytes} bytes, and it has ${style.bytes.length}`,
    });
  }
  const expected: ExpectedContent = { language: 'sld', subject: `The file '${style.name}' of the package` };
  const content = raw
    ? readRaw(style.bytes, { language: 'sld', version: '1.0.0' })
    : describeContent(style.bytes, readContent(style.bytes, expected));
  return {
    ...content,
    // Clients name a package after its file, not after what the document in it is called.
    styleName: style.name.replace(/\.sld$/i, ''),
    images: images.map(({ name, path }) => ({ path: name, bytes: () => readFile(path) })),
    ignored,
  };
}

/** What is known of a content that could be read. */
export function describeContent(bytes: Uint8Array, content: StyleContent): Omit<SentContent, 'images' | 'ignored'> {
  const references = classifyGraphics(content.model);
  const local = references.flatMap((each) => (each.kind === 'local' ? each.path : []));
  const isOpen = references.some(({ kind }) => kind === 'dynamic') || local.length > MAX_GRAPHICS;
  return {
    bytes,
    format: content.format,
    charset: content.charset ?? null,
    styleName: firstStyleName(content.model),
    graphics: [...new Set(local.slice(0, MAX_GRAPHICS)), ...(isOpen ? [ANY_IMAGE] : [])],
    references,
  };
}

/** Text that is taken as it is; nobody knows what it refers to unless it can be read after all. */
function readRaw(
  bytes: Uint8Array,
  declared: WrittenFormat & { readonly charset?: string },
): Omit<SentContent, 'images' | 'ignored'> {
  const { charset, language, version } = declared;
  const text = decodeText(bytes, charset, language === 'sld');
  if (hasDoctype(text)) {
    throw problem('xml-doctype', {});
  }
  try {
    return describeContent(bytes, readContent(bytes, charset === undefined ? undefined : { language, charset }));
  } catch (error) {
    if (!(error instanceof Problem)) {
      throw error;
    }
    const format = { language, version };
    return {
      bytes,
      format,
      charset: charset ?? null,
      styleName: undefined,
      graphics: [ANY_IMAGE],
      references: [],
    };
  }
}

/** Reads a style in all its forms: as sent, in another language or version, as a package, as an image. */
import { Problem, problem } from '../../lib/problems/problem.ts';
import { builtInStyles } from '../../styling/built-in/built-in-styles.ts';
import { isSameFormat, type StyleFormat, sld10, sld11 } from '../../styling/content/style-format.ts';
import { writePackage } from '../../styling/package/write-package.ts';
import type { StyleProcessor } from '../../styling/style-processor.ts';
import type { StoredStyle } from '../../styling/style-tasks.ts';
import type { StyleFile, WrittenContent } from '../kinds/style.ts';
import type { StyleContents } from './style-contents.ts';
import { replaceLanguageExtension } from './style-names.ts';
import type { StyleView } from './style-view.ts';

/** The dependencies for reading styles. */
export interface StyleReadContext {
  readonly contents: StyleContents;
  readonly work: StyleProcessor;
}

export interface WrittenStyle {
  readonly format: StyleFormat;
  readonly bytes: Uint8Array;
  readonly filename: string;
}

/** The file of a style with content. */
export type ContentFile = StyleFile & { readonly written: WrittenContent };

export function getContentFile({ style, file }: StyleView): ContentFile {
  if (file === null || file.written === null) {
    throw problem('style-content-missing', { name: style.name, filename: style.filename });
  }
  return { ...file, written: file.written };
}

/** Returns the style in the requested format; the sent bytes unchanged if that is their format. */
export async function readStyleAs(
  reading: StyleReadContext,
  view: StyleView,
  format: StyleFormat,
): Promise<WrittenStyle> {
  const { contents, work } = reading;
  const file = getContentFile(view);
  if (isSameFormat(file.written.format, format)) {
    return { format, bytes: await contents.read(file.content), filename: file.path };
  }
  const bytes = await work.convert(await loadStoredStyle(contents, view), file.content, format);
  return { format, bytes, filename: replaceLanguageExtension(file.path, format) };
}

/** Returns SLD in the version of the content; other languages as the older version, unless that cannot express it. */
export async function readStyleAsSld(reading: StyleReadContext, view: StyleView): Promise<WrittenStyle> {
  const { written } = getContentFile(view);
  if (written.format.language === 'sld') {
    return readStyleAs(reading, view, written.format);
  }
  try {
    return await readStyleAs(reading, view, sld10);
  } catch (error) {
    if (error instanceof Problem && error.code === 'style-not-convertible') {
      return readStyleAs(reading, view, sld11);
    }
    throw error;
  }
}

/** Returns an archive that can be uploaded again: the SLD and its images. */
export async function readStyleAsPackage(
  reading: StyleReadContext & { readonly maxPackageBytes: number },
  view: StyleView,
): Promise<Uint8Array> {
  const { contents, maxPackageBytes } = reading;
  // A style may refer to the images of many packages, so the total size is limited.
  const sizeBytes = view.images.reduce((sum, image) => sum + image.sizeBytes, getContentFile(view).sizeBytes);
  if (sizeBytes > maxPackageBytes) {
    throw problem('style-package-too-large', { name: view.style.name, sizeBytes, maxBytes: maxPackageBytes });
  }
  const { bytes, filename } = await readStyleAsSld(reading, view);
  const images: { readonly name: string; readonly bytes: Uint8Array }[] = [];
  for (const image of view.images) {
    images.push({ name: image.path, bytes: await contents.read(image.content) });
  }
  const name = /\.sld$/i.test(filename) ? filename : `${filename}.sld`;
  return writePackage({ name, bytes }, images);
}

/** Returns a style in the form that the style functions accept. */
export async function loadStoredStyle(contents: StyleContents, view: StyleView): Promise<StoredStyle> {
  const { content, written } = getContentFile(view);
  // Invalid content that was accepted with a configuration is drawn as the generic style.
  if (view.style.unverified !== undefined) {
    const generic = builtInStyles.find(({ name }) => name === 'generic')?.sld ?? '';
    return { name: view.style.name, bytes: Buffer.from(generic), language: 'sld', charset: null };
  }
  const { format, charset } = written;
  return { name: view.style.name, bytes: await contents.read(content), language: format.language, charset };
}

/** What styles and their files may be called, and what they are called when nobody says. */
import { createHash } from 'node:crypto';
import { problem } from '../../lib/problems/problem.ts';
import { findFileNameFault, toFileNameKey, toPrintableFileName } from '../../lib/text/file-name.ts';
import { checkName, type NameRule } from '../../records/names.ts';
import { isImageName } from '../../styling/package/check-image.ts';
import type { WrittenFormat } from '../kinds/style.ts';

export const styleNameRule: NameRule = {
  what: 'style',
  field: 'style.name',
  // Layers name the styles of a workspace as `workspace:style`.
  forbidden: [':'],
};

export function isStyleName(name: string): boolean {
  try {
    checkName(name, styleNameRule);
    return true;
  } catch {
    return false;
  }
}

/** `style-` and seven hexadecimal digits of the hash of the content: a dry run tells the name that the real one finds. */
export function generateStyleName(content: Uint8Array): string {
  return `style-${createHash('sha256').update(content).digest('hex').slice(0, 7)}`;
}

/** A plain name of a file that is no image: those lie in the same folder. */
export function checkFileName(name: string): void {
  const reason =
    findFileNameFault(name) ??
    // In packages hidden files are left out, and this one could not be sent again.
    (name.startsWith('.') ? 'it begins with a dot' : undefined) ??
    (isImageName(name) ? 'it is that of an image, and a style is none' : undefined);
  if (reason !== undefined) {
    throw problem('file-name-illegal', { name: toPrintableFileName(name), reason, field: 'style.filename' });
  }
}

/** The file of a style that was made without naming one. */
export function formatStyleFileName(styleName: string, format: WrittenFormat): string {
  const plain = `${styleName}.${format.language}`;
  return findFileNameFault(plain) === undefined
    ? plain
    : `${encodeURIComponent(styleName).replaceAll(/[.*]/g, '_')}.${format.language}`;
}

/** What a style is going to be written in, by the ending of its file. */
export function getFormatByFileName(name: string): WrittenFormat {
  return { language: toFileNameKey(name).endsWith('.css') ? 'css' : 'sld', version: '1.0.0' };
}

/** The same name with the ending of another language, if it has that of one. */
export function replaceLanguageExtension(name: string, { language }: WrittenFormat): string {
  return name.toLowerCase().endsWith(`.${language}`) ? name : name.replace(/\.(?:sld|css)$/i, `.${language}`);
}

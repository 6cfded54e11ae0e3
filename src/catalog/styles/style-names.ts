/** Names of styles and their files: validation and defaults. */

import { createHash } from 'node:crypto';
import { problem } from '../../lib/problems/problem.ts';
import { findFileNameFault, toFileNameKey, toPrintableFileName } from '../../lib/text/file-name.ts';
import { checkName, type NameRule } from '../../records/names.ts';
import { findStyleLanguage, getStyleExtension } from '../../styling/content/style-format.ts';
import { isImageName } from '../../styling/package/check-image.ts';
import type { WrittenFormat } from '../kinds/style.ts';

export const styleNameRule: NameRule = {
  what: 'style',
  field: 'style.name',
  // Layers refer to styles of a workspace as `workspace:style`.
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

/** Returns `style-` and seven hexadecimal digits of the content hash, so that a dry run returns the same name. */
export function generateStyleName(content: Uint8Array): string {
  return `style-${createHash('sha256').update(content).digest('hex').slice(0, 7)}`;
}

/** Checks a file name: it must not be that of an image, since images are in the same folder. */
export function checkFileName(name: string): void {
  const reason =
    findFileNameFault(name) ??
    // Packages omit hidden files, so this one could not be uploaded again.
    (name.startsWith('.') ? 'it begins with a dot' : undefined) ??
    (isImageName(name) ? 'it has the extension of an image' : undefined);
  if (reason !== undefined) {
    throw problem('file-name-illegal', { name: toPrintableFileName(name), reason, field: 'style.filename' });
  }
}

/** Returns the default file name of a style. */
export function formatStyleFileName(styleName: string, format: WrittenFormat): string {
  const extension = getStyleExtension(format.language);
  const plain = `${styleName}.${extension}`;
  return findFileNameFault(plain) === undefined
    ? plain
    : `${encodeURIComponent(styleName).replaceAll(/[.*]/g, '_')}.${extension}`;
}

/** Returns the format that a file extension implies. */
export function getFormatByFileName(name: string): WrittenFormat {
  return { language: findStyleLanguage(toFileNameKey(name)) ?? 'sld', version: '1.0.0' };
}

/** Replaces a language extension by that of another language; other names stay unchanged. */
export function replaceLanguageExtension(name: string, { language }: WrittenFormat): string {
  const present = findStyleLanguage(name);
  if (present === undefined || present === language) return name;
  return `${name.slice(0, name.lastIndexOf('.'))}.${getStyleExtension(language)}`;
}

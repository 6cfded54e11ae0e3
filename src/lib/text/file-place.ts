/** The path and the URL at which clients see the uploaded files of a store. */
import { findFileNameFault } from './file-name.ts';

/** Returns the path, relative to the data directory, at which clients see the files of a new store. */
export function formatFilePlace(workspaceName: string, storeName: string): string {
  return ['data', toStoredName(workspaceName), toStoredName(storeName), '1'].join('/');
}

/** Formats a path in the data directory as a store URL. */
export function formatFileUrl(parts: readonly string[]): string {
  return `file:${parts.map(encodeURIComponent).join('/')}`;
}

/**
 * Converts a store name to a portable file name of nearly the same length, so that an extension fits. Two names may
 * have the same result, which is harmless.
 */
export function toStoredName(name: string): string {
  if (findFileNameFault(name) === undefined) {
    return name;
  }
  const plain = name.replaceAll(/[^\p{L}\p{M}\p{N} ._-]/gu, '_');
  // Device names such as `con` are invalid file names on Windows.
  return findFileNameFault(plain) === undefined ? plain : `_${plain}`;
}

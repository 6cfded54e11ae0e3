/** Validates file names from clients: only names that mean the same file on every operating system are valid. */
import { toPrintable } from './wording.ts';

/** The limit of most file systems. */
export const MAX_FILE_NAME_BYTES = 255;

/** Device names of Windows, with any extension. */
const device = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)\s*(?:\.|$)/i;

/** Bidirectional control characters, which can disguise a name. */
const directionMarks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** Returns why a name is invalid, as the end of a sentence; undefined for a valid name. */
export function findFileNameFault(name: string, maxBytes = MAX_FILE_NAME_BYTES): string | undefined {
  return findLabelFault(name, maxBytes) ?? (device.test(name) ? 'it is the name of a device' : undefined);
}

/** Like `findFileNameFault` for a name that the server only lists, such as in an archive: it may be that of a device. */
export function findLabelFault(name: string, maxBytes = MAX_FILE_NAME_BYTES): string | undefined {
  if (name.trim() === '') {
    return 'it is empty';
  }
  if (!name.isWellFormed()) {
    return 'it is not valid Unicode text';
  }
  if (Buffer.byteLength(name) > maxBytes) {
    return `it is longer than ${maxBytes} bytes`;
  }
  if (/[\p{Cc}\u2028\u2029]/u.test(name) || directionMarks.test(name)) {
    return 'it contains a control character';
  }
  const separator = /[/\\]/.exec(name)?.[0];
  if (separator !== undefined) {
    return `it contains the separator ${separator}`;
  }
  const reserved = /[<>:"|?*]/.exec(name)?.[0];
  if (reserved !== undefined) {
    return `it contains the character ${reserved}`;
  }
  if (/^\.+$/.test(name)) {
    return 'it consists of dots';
  }
  return /[.\s]$/u.test(name) ? 'it ends with a dot or a space' : undefined;
}

/**
 * Returns the same key for names that some file system treats as equal: it ignores case, Unicode normalization and
 * invisible characters.
 */
export function toFileNameKey(name: string): string {
  const visible = name.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '');
  return visible.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}

/** Returns the name in a form that is safe in a message. */
export function toPrintableFileName(name: string): string {
  return toPrintable(name, 100);
}

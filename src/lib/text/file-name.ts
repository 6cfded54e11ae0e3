/** Which names a file may have when a client chooses them: those that mean one file on every system. */
import { toPrintable } from './wording.ts';

/** What most file systems give a name. */
export const MAX_FILE_NAME_BYTES = 255;

/** Names of devices in Windows, with any ending. */
const device = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)\s*(?:\.|$)/i;

/** Change the direction of the text that follows, and so what people believe to read. */
const directionMarks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** What is wrong with a name, as the end of a sentence; undefined for a good one. */
export function findFileNameFault(name: string, maxBytes = MAX_FILE_NAME_BYTES): string | undefined {
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
    return 'it holds a control character';
  }
  const separator = /[/\\]/.exec(name)?.[0];
  if (separator !== undefined) {
    return `it holds the separator ${separator}`;
  }
  const reserved = /[<>:"|?*]/.exec(name)?.[0];
  if (reserved !== undefined) {
    return `it holds the character ${reserved}`;
  }
  if (/^\.+$/.test(name)) {
    return 'it consists of dots';
  }
  if (/[.\s]$/u.test(name)) {
    return 'it ends with a dot or a space';
  }
  return device.test(name) ? 'it is the name of a device' : undefined;
}

/**
 * Two names that some file system takes for one give the same key: capitals and accents in any spelling, and with or
 * without characters that nobody sees.
 */
export function toFileNameKey(name: string): string {
  const visible = name.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '');
  return visible.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}

/** A name as it can be shown in a message. */
export function toPrintableFileName(name: string): string {
  return toPrintable(name, 100);
}

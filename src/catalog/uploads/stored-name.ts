/** What the files and folders of a store are called: as it is itself, or as near to that as every system takes. */
import { objectionToFileName } from '../../lib/file-name.ts';

/** Hardly longer than the name, so that there is room for an ending. Two names may give one: that does no harm. */
export function storedName(name: string): string {
  if (objectionToFileName(name) === undefined) {
    return name;
  }
  const plain = name.replaceAll(/[^\p{L}\p{M}\p{N} ._-]/gu, '_');
  // The names of devices are none whatever they hold.
  return objectionToFileName(plain) === undefined ? plain : `_${plain}`;
}

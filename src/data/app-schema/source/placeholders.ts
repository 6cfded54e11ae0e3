/** What stands for `${name}` in mappings: the properties that come with them, and the folder they are in. */
import { type DocumentFiles, relativePath } from '../document-files.ts';

/** Beside the main mapping. */
const FILE_NAME = 'app-schema.properties';

/** The folder of the main mapping, to which paths are relative anyway. */
const PARENT = 'config.parent';

export function readPlaceholders(files: DocumentFiles, main: string): ReadonlyMap<string, string> {
  const properties = new Map([[PARENT, '.']]);
  const path = relativePath(main, FILE_NAME);
  const bytes = path === undefined ? undefined : files.get(path);
  const text = bytes === undefined ? '' : new TextDecoder().decode(bytes);
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, name, value = ''] = /^\s*([^#!=:\s][^=:\s]*)\s*[=:]\s*(.*?)\s*$/.exec(line) ?? [];
    if (name !== undefined && name !== PARENT) properties.set(name, value);
  }
  return properties;
}

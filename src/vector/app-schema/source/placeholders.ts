/** What stands for `${name}` in mappings: the operator's properties, those that come with them, and the folder they are in. */
import { readFileSync } from 'node:fs';
import { findErrorCode } from '../../../lib/problems/error-code.ts';
import { type DocumentFiles, resolveRelativePath } from '../document-files.ts';

/** Beside the main mapping, or where the operator keeps secrets. */
export const PROPERTIES_FILE = 'app-schema.properties';

/** The folder of the main mapping, to which paths are relative anyway. */
const PARENT = 'config.parent';

/**
 * What comes with a mapping has the first word, always: otherwise a name that somebody made up would later mean a secret of
 * the operator's. `operatorFile` is absent for those who may not use that.
 */
export function readPlaceholders(
  files: DocumentFiles,
  main: string,
  operatorFile: string | undefined,
): ReadonlyMap<string, string> {
  const path = resolveRelativePath(main, PROPERTIES_FILE);
  return new Map([
    ...(operatorFile === undefined ? [] : parseProperties(readBytes(operatorFile))),
    ...parseProperties(path === undefined ? undefined : files.get(path)),
    [PARENT, '.'] as const,
  ]);
}

function parseProperties(bytes: Uint8Array | undefined): readonly (readonly [name: string, value: string])[] {
  const lines = bytes === undefined ? [] : new TextDecoder().decode(bytes).split(/\r\n|\r|\n/);
  return lines.flatMap((line) => {
    const [, name, value = ''] = /^([^#!=:\s][^=:\s]*)\s*[=:](.*)$/.exec(line.trim()) ?? [];
    return name === undefined ? [] : [[name, value.trim()] as const];
  });
}

function readBytes(file: string): Uint8Array | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if (findErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

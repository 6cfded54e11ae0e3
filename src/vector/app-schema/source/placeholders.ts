/** Values for `${name}` in mappings: the operator's properties, uploaded properties, and the folder of the mapping. */
import { readFileSync } from 'node:fs';
import { findErrorCode } from '../../../lib/problems/error-code.ts';
import { type DocumentFiles, resolveRelativePath } from '../document-files.ts';

/** Next to the main mapping, or in the operator's configuration. */
export const PROPERTIES_FILE = 'app-schema.properties';

/** The folder of the main mapping, to which paths are relative. */
const PARENT = 'config.parent';

/**
 * Uploaded properties always take precedence: otherwise a name chosen by a client could later resolve to an
 * operator's secret. `operatorFile` is absent for callers without access to it.
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

/** Checks that a file is a font that maps can use. */
import { problem } from '../../lib/problems/problem.ts';
import { toPrintableFileName } from '../../lib/text/file-name.ts';
import { describeFont, type MeasuredFont } from '../fonts/font-file.ts';
import { InvalidFont } from '../fonts/font-tables.ts';

/** Throws `font-invalid`. */
export function readFont(name: string, bytes: Uint8Array): MeasuredFont {
  try {
    return describeFont(bytes);
  } catch (error) {
    if (!(error instanceof InvalidFont)) throw error;
    throw problem('font-invalid', { name: toPrintableFileName(name), reason: error.message });
  }
}

/** Throws `font-invalid`. Returns a warning for a font without characters. */
export function checkFont(name: string, bytes: Uint8Array): string | undefined {
  const empty = readFont(name, bytes).faces.find(({ coverage }) => coverage.length === 0);
  return empty === undefined ? undefined : `The font '${empty.face.fullName}' has no Unicode characters.`;
}

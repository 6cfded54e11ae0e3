/** Checks that a file is a font that maps can use. */
import { problem } from '../../lib/problems/problem.ts';
import { toPrintableFileName } from '../../lib/text/file-name.ts';
import { InvalidFont, readCoverage, readFontFace, wrapFontBytes } from '../fonts/font-file.ts';
import { loadCanvas } from '../legend/canvas/canvas.ts';

/** The family under which the library knows a font while it is checked. */
const CHECKED_FAMILY = 'checked font';

/** Throws `font-invalid`. Returns a warning for a font without characters. */
export async function checkFont(name: string, bytes: Uint8Array): Promise<string | undefined> {
  try {
    const wrapped = wrapFontBytes(bytes);
    const { fullName } = readFontFace(wrapped);
    const coverage = readCoverage(wrapped);
    const { GlobalFonts } = await loadCanvas();
    const key = GlobalFonts.register(Buffer.from(bytes), CHECKED_FAMILY);
    if (key === null) throw new InvalidFont('it is damaged');
    GlobalFonts.remove(key);
    return coverage.length > 0 ? undefined : `The font '${fullName}' has no Unicode characters.`;
  } catch (error) {
    if (!(error instanceof InvalidFont)) throw error;
    throw problem('font-invalid', { name: toPrintableFileName(name), reason: error.message });
  }
}

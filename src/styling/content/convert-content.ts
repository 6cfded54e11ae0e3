/** Writes a style that was read in one format in another one. */
import { problem } from '../../lib/problem.ts';
import { writeSld } from '../sld/writer.ts';
import type { StyleContent } from './read-content.ts';
import { nameOfFormat, type StyleFormat } from './style-format.ts';

/**
 * The whole text. Throws `style-not-convertible` where the older SLD cannot say it all, and `style-language-not-written`
 * for CSS, which is only read. A style in its own format needs no conversion: its bytes are kept.
 */
export function convertContent({ format, model }: StyleContent, to: StyleFormat): string {
  if (to.language === 'css') throw problem('style-language-not-written', { from: nameOfFormat(format), to: 'CSS' });
  return writeSld(model, to.version);
}

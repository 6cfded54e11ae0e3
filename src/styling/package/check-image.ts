/** Checks that a file of a package is the image that its extension declares, without active content. */
import { extname } from 'node:path/posix';
import { problem } from '../../lib/problems/problem.ts';
import { toPrintableFileName } from '../../lib/text/file-name.ts';
import { findImageKind, type ImageKind } from '../legend/images/image-kind.ts';
import { checkSvg } from '../legend/images/svg-check.ts';
import { decodeXmlText } from '../legend/images/svg-root.ts';
import { findSvgFault } from './check-svg.ts';

const kindsByEnding: ReadonlyMap<string, ImageKind['kind']> = new Map([
  ['.svg', 'svg'],
  ['.png', 'png'],
  ['.jpg', 'jpeg'],
  ['.jpeg', 'jpeg'],
  ['.gif', 'gif'],
  ['.bmp', 'bmp'],
]);

export function isImageName(name: string): boolean {
  return kindsByEnding.has(extname(name).toLowerCase());
}

/** Throws `style-package-image`. Returns a warning for an image that is stored but not drawn. */
export function checkImage(name: string, bytes: Uint8Array): string | undefined {
  const reason = findImageFault(name, bytes);
  if (reason !== undefined) throw problem('style-package-image', { name: toPrintableFileName(name), reason });
  const text = extname(name).toLowerCase() === '.svg' ? decodeXmlText(bytes) : undefined;
  const verdict = text === undefined ? undefined : checkSvg(text);
  return verdict?.kind === 'refused'
    ? `The graphic '${toPrintableFileName(name)}' is not drawn: ${verdict.reason}.`
    : undefined;
}

function findImageFault(name: string, bytes: Uint8Array): string | undefined {
  const ending = extname(name).toLowerCase();
  const expected = kindsByEnding.get(ending);
  if (expected === 'svg') return findSvgFault(bytes);
  if (bytes.length === 0) return 'it is empty';
  const found = findImageKind(bytes)?.kind;
  if (found === expected) return undefined;
  return found === undefined
    ? `its extension is ${ending}, but it is not a complete image of a known format`
    : `its extension is ${ending}, but it is ${found === 'svg' ? 'an' : 'a'} ${found.toUpperCase()} image`;
}

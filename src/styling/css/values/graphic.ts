/** Reads the paint of areas, lines and points: colours, symbols and pictures. */
import { createLiteral } from '../../../filter/model/literal.ts';
import type { CssValue } from '../model/stylesheet.ts';
import type { Term, TermList } from '../tokens/terms.ts';
import { color, expectedColor, readColorTerm } from './color.ts';
import { allowNone, type ValueKind } from './value-kind.ts';

/** `symbol('circle')` or `url('picture.png')`. */
export const graphic: ValueKind = {
  expected: "a symbol such as symbol('circle') or url('picture.png')",
  read: ([term, ...more]) => (term?.kind === 'call' && more.length === 0 ? readGraphic(term) : undefined),
};

export const graphicOrNone = allowNone(graphic);

export const paint = allowNone({
  expected: `${expectedColor}, or symbol('circle') or url('picture.png')`,
  read: (terms) => graphic.read(terms) ?? readPictureOrColor(terms) ?? color.read(terms),
});

/** `url('picture.png') red`: a picture with a fallback colour. */
function readPictureOrColor([first, second, ...more]: TermList): CssValue | undefined {
  if (first === undefined || second === undefined || more.length > 0) return undefined;
  const picture = graphic.read([first]);
  const fallback = readColorTerm(second);
  return picture?.kind === 'picture' && fallback !== undefined ? { ...picture, fallback } : undefined;
}

function readGraphic({ name, arguments: given }: Term & { readonly kind: 'call' }): CssValue | undefined {
  const [term, ...more] = given[0]?.terms ?? [];
  if (term === undefined || more.length > 0 || given.length > 1) return undefined;
  switch (name.toLowerCase()) {
    case 'symbol':
      if (term.kind === 'expression') return { kind: 'symbol', name: term.expression };
      return (term.kind === 'string' || term.kind === 'word') && term.text !== ''
        ? { kind: 'symbol', name: createLiteral(term.text) }
        : undefined;
    case 'url':
      return term.kind === 'string' && term.text !== '' ? { kind: 'picture', href: term.text } : undefined;
    default:
      return undefined;
  }
}

/** Reads raster values: channels, colour maps and contrast. */

import { createLiteral } from '../../../filter/model/literal.ts';
import type { ColorMapEntry, EntryValue } from '../../model/color-map.ts';
import type { Argument, Term } from '../tokens/terms.ts';
import { readColorTerm } from './color.ts';
import { createTermsKind, readNumberTerm, readShareTerm, type ValueKind } from './value-kind.ts';

const bands = createTermsKind('', [1, 3], (term) =>
  term.kind === 'number' && term.unit === '' && /^\d+$/.test(term.text)
    ? createLiteral(term.text)
    : term.kind === 'string' || term.kind === 'word'
      ? createLiteral(term.text)
      : undefined,
);

/** One band is grey, three bands are red, green and blue; `auto` leaves the choice to the renderer. */
export const channels: ValueKind = {
  expected: 'auto, one band, or three bands such as 3 2 1,',
  read(terms) {
    const [first] = terms;
    const isWord = first?.kind === 'word' || first?.kind === 'string';
    const isAuto = terms.length === 1 && isWord && first.text.toLowerCase() === 'auto';
    return isAuto ? { kind: 'none' } : bands.read(terms);
  },
};

const contrastWords = ['none', 'normalize', 'histogram', 'logarithmic', 'exponential'];

/** One method for all channels, or one for each of three. */
export const contrast = createTermsKind(
  'none, normalize, histogram, logarithmic or exponential, once or three times,',
  [1, 3],
  (term) => {
    const word = term.kind === 'word' || term.kind === 'string' ? term.text.toLowerCase() : '';
    return contrastWords.includes(word) ? createLiteral(word) : undefined;
  },
);

export const gamma = createTermsKind('a number, or three numbers for the three channels,', [1, 3], (term) =>
  term.kind === 'number' && Number(term.text) < 0 ? undefined : readNumberTerm(term),
);

export const colorMap: ValueKind = {
  expected: "a list of entries such as color-map-entry(#FF8800, 100, 1, 'label')",
  read(terms) {
    const entries = terms.map(readEntry);
    return entries.every((entry) => entry !== undefined) ? { kind: 'colorMap', entries } : undefined;
  },
};

function readEntry(term: Term): ColorMapEntry | undefined {
  if (term.kind !== 'call' || term.name.toLowerCase() !== 'color-map-entry') return undefined;
  const given = term.arguments;
  if (given.length < 2 || given.length > 4) return undefined;
  const color = readEntryValue(given[0], readColorTerm);
  const quantity = readEntryValue(given[1], readNumberTerm);
  const opacity = given[2] === undefined ? undefined : readEntryValue(given[2], readShareTerm);
  const label = given[3] === undefined ? undefined : readEntryLabel(given[3]);
  if (color === undefined || quantity === undefined) return undefined;
  if ((given[2] !== undefined && opacity === undefined) || (given[3] !== undefined && label === undefined))
    return undefined;
  return {
    color,
    quantity,
    ...(opacity === undefined ? {} : { opacity }),
    ...(label === undefined ? {} : { label }),
  };
}

function readEntryValue(given: Argument | undefined, read: typeof readColorTerm): EntryValue | undefined {
  const [term, ...more] = given?.terms ?? [];
  if (term === undefined || more.length > 0) return undefined;
  if (term.kind === 'expression') return { kind: 'embedded', text: `\${${term.text.trim()}}` };
  const value = read(term);
  return value?.kind === 'literal' ? value : undefined;
}

function readEntryLabel({ terms: [term, ...more] }: Argument): string | undefined {
  return term?.kind === 'string' && more.length === 0 ? term.text : undefined;
}

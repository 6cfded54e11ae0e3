/** The types of plain values: numbers, lengths, words and texts. */

import { magnitudes } from '../../../filter/ecql/ecql.ts';
import type { Expression } from '../../../filter/model/expression.ts';
import { createLiteral } from '../../../filter/model/literal.ts';
import { namedColors } from '../../../lib/values/named-colors.ts';
import { parseWeight } from '../../fonts/font-weight.ts';
import { concatenate } from '../../sld/read/mixed-content.ts';
import type { CssValue } from '../model/stylesheet.ts';
import type { Term, TermList } from '../tokens/terms.ts';

export interface ValueKind {
  /** Completes the sentence `… but a number was expected`. */
  readonly expected: string;
  /** Returns undefined if the terms have another type. There is at least one term. */
  read(terms: TermList): CssValue | undefined;
}

/** Creates a type for values of one term. Expressions are always accepted. */
export function createTermKind(expected: string, read: (term: Term) => Expression | undefined): ValueKind {
  return {
    expected,
    read([term, ...more]) {
      const expression = term === undefined || more.length > 0 ? undefined : readTermValue(term, read);
      return expression === undefined ? undefined : { kind: 'expression', expression };
    },
  };
}

/** Creates a type for values of several adjacent terms. */
export function createTermsKind(
  expected: string,
  counts: readonly number[] | 'any',
  read: (term: Term) => Expression | undefined,
): ValueKind {
  return {
    expected,
    read(terms) {
      if (counts !== 'any' && !counts.includes(terms.length)) return undefined;
      const expressions = terms.map((term) => readTermValue(term, read));
      return expressions.every((each) => each !== undefined) ? { kind: 'expressions', expressions } : undefined;
    },
  };
}

/** Accepts the word `none` in addition. */
export function allowNone(kind: ValueKind): ValueKind {
  return {
    expected: `${kind.expected}, or none,`,
    read: (terms) => (isNone(terms) ? { kind: 'none' } : kind.read(terms)),
  };
}

function isNone(terms: TermList): boolean {
  const [term] = terms;
  return terms.length === 1 && term?.kind === 'word' && term.text.toLowerCase() === 'none';
}

function readTermValue(term: Term, read: (term: Term) => Expression | undefined): Expression | undefined {
  return term.kind === 'expression' ? term.expression : (read(term) ?? readChoosingCall(term));
}

export function readNumberTerm(term: Term): Expression | undefined {
  return term.kind === 'number' && term.unit === '' ? createLiteral(term.text) : undefined;
}

/** Pixels need no unit; metres and feet keep theirs. */
export function readLengthTerm(term: Term): Expression | undefined {
  if (term.kind !== 'number') return undefined;
  if (term.unit === '' || term.unit === 'px') return createLiteral(term.text);
  return term.unit === 'm' || term.unit === 'ft' ? createLiteral(term.text + term.unit) : undefined;
}

/** `50%` is 0.5. */
export function readShareTerm(term: Term): Expression | undefined {
  if (term.kind !== 'number') return undefined;
  if (term.unit === '') return createLiteral(term.text);
  return term.unit === '%' ? createLiteral(Number((Number(term.text) / 100).toPrecision(12))) : undefined;
}

function readTextTerm(term: Term): Expression | undefined {
  return term.kind === 'string' ? createLiteral(term.text) : undefined;
}

const requireNonNegative = (read: (term: Term) => Expression | undefined) => (term: Term) =>
  term.kind === 'number' && Number(term.text) < 0 ? undefined : read(term);

export const number = createTermKind('a number', readNumberTerm);
export const length = createTermKind('a length such as 10, 10px, 10m or 10ft', readLengthTerm);
export const size = createTermKind(
  'a non-negative length such as 10, 10px, 10m or 10ft',
  requireNonNegative(readLengthTerm),
);
export const lengths = createTermsKind(
  'a list of non-negative lengths such as 5 2',
  'any',
  requireNonNegative(readLengthTerm),
);
export const pair = createTermsKind('a pair of lengths such as 10 -5', [1, 2], readLengthTerm);
export const oneOrTwo = createTermsKind('one length, or a pair such as 10 -5,', [1, 2], readLengthTerm);
export const anchor = createTermsKind('a pair of fractions such as 0.5 1 or 50% 100%', [1, 2], readShareTerm);
export const angle = createTermKind('an angle such as 45 or 45deg', (term) =>
  term.kind === 'number' && (term.unit === '' || term.unit === 'deg') ? createLiteral(term.text) : undefined,
);

export const opacity = createTermKind('an opacity from 0 to 1, or from 0% to 100%,', (term) => {
  const share = readShareTerm(term);
  const value = share?.kind === 'literal' ? Number(share.value) : undefined;
  return value !== undefined && value >= 0 && value <= 1 ? share : undefined;
});

export const wholeNumber = createTermKind('a whole number of at most nine digits', (term) =>
  term.kind === 'number' && term.unit === '' && /^[+-]?\d{1,9}$/.test(term.text)
    ? createLiteral(Number(term.text))
    : undefined,
);

/** A name, a media type or similar text. */
export const text = createTermKind('a quoted string', (term) =>
  term.kind === 'word' ? createLiteral(term.text) : readTextTerm(term),
);

/** Several quoted strings are alternatives. Several unquoted words are rejected: the quotes are probably missing. */
export const fontFamilies: ValueKind = {
  expected: 'a quoted string',
  read: (terms) => text.read(terms) ?? severalTexts.read(terms),
};

const severalTexts = createTermsKind('quoted strings', 'any', readTextTerm);

export const attribute: ValueKind = {
  expected: 'an expression in brackets, such as [the_geom],',
  read: ([term, ...more]) =>
    term?.kind === 'expression' && more.length === 0 ? { kind: 'expression', expression: term.expression } : undefined,
};

/** Adjacent texts and expressions are concatenated. */
export const label: ValueKind = {
  expected: "an attribute such as [name], a quoted string, or several such as [height] ' m',",
  read(terms) {
    const parts = terms.map((term) => readTermValue(term, (each) => readTextTerm(each) ?? readNumberTerm(each)));
    if (!parts.every((part) => part !== undefined)) return undefined;
    return { kind: 'expression', expression: concatenate(parts) };
  },
};

/** Accepts one of the words, quoted or not, in any case. */
export function createChoiceKind(...words: readonly string[]): ValueKind {
  const last = words.at(-1) ?? '';
  const expected = words.length > 1 ? `${words.slice(0, -1).join(', ')} or ${last}` : last;
  return createTermKind(expected, (term) => {
    if (term.kind !== 'word' && term.kind !== 'string') return undefined;
    const found = words.find((word) => word.toLowerCase() === term.text.toLowerCase());
    return found === undefined ? undefined : createLiteral(found);
  });
}

export const flag = createChoiceKind('true', 'false');

export const fontWeight = createTermKind('normal, bold or a weight from 1 to 1000', (term) => {
  if (term.kind === 'number')
    return term.unit === '' && parseWeight(term.text) !== undefined ? createLiteral(term.text) : undefined;
  const word = term.kind === 'word' || term.kind === 'string' ? term.text.toLowerCase() : '';
  const weight = parseWeight(word);
  if (weight === undefined) return undefined;
  // SLD has no other words.
  return createLiteral(word === 'normal' || word === 'bold' ? word : String(weight));
});

/** Other functions require brackets, so that a misspelt colour function is not accepted as a function. */
const names: ReadonlySet<string> = new Set(['categorize', 'interpolate', 'recode', 'env', 'if_then_else']);

/** Reads a function that selects a value, such as `categorize(@sd, 3, 50k, 1)`, outside of brackets. */
function readChoosingCall(term: Term): Expression | undefined {
  if (term.kind !== 'call' || !names.has(term.name.toLowerCase())) return undefined;
  const inputs = term.arguments.map(({ name, terms: [only, ...more] }) =>
    only === undefined || more.length > 0 || name !== undefined ? undefined : readChoiceInput(only),
  );
  return inputs.every((each) => each !== undefined)
    ? { kind: 'function', name: term.name, arguments: inputs }
    : undefined;
}

function readChoiceInput(term: Term): Expression | undefined {
  switch (term.kind) {
    case 'expression':
      return term.expression;
    case 'call':
      return readChoosingCall(term);
    case 'number': {
      const factor = term.unit === '' ? 1 : magnitudes[term.unit];
      if (factor !== undefined) return createLiteral(factor === 1 ? term.text : String(Number(term.text) * factor));
      return createLiteral(term.text + term.unit);
    }
    case 'hash':
      return createLiteral(term.text.toUpperCase());
    case 'word':
      return createLiteral(namedColors.get(term.text.toLowerCase()) ?? term.text);
    default:
      return createLiteral(term.text);
  }
}

/** Reads selectors. */
import { excerpt } from '../../../lib/text/excerpt.ts';
import type { CssSelector, SelectorPart, SymbolClass } from '../model/stylesheet.ts';
import { readFilterParts } from '../tokens/filter-parts.ts';
import type { Scanner } from '../tokens/scanner.ts';

const symbolClasses: ReadonlySet<string> = new Set<SymbolClass>(['symbol', 'mark', 'fill', 'stroke', 'shield']);
const symbolPattern = /:(?:nth-)?(?:symbol|mark|fill|stroke|shield)(?![\p{L}\p{N}_-])/uy;
const anySymbolPattern = /:[\p{L}\p{N}_-]*/uy;
const indexPattern = /\([ \t]*(\d{1,4})[ \t]*\)/y;
const typePattern = /[\p{L}_][\p{L}\p{N}_.-]*/uy;
const qualifiedPattern = /:[\p{L}_][\p{L}\p{N}_.-]*/uy;
const identifierPattern = /#[\p{L}\p{N}_.:-]+/uy;

const expected = "'*', a type name, '#' and an identifier, a filter in brackets or a symbol selector such as ':mark'";

/** Reads up to the brace of the block. Reports errors and continues behind them. */
export function readSelectors(scanner: Scanner): readonly CssSelector[] {
  const selectors: CssSelector[] = [];
  do selectors.push(readSelector(scanner));
  while (scanner.readCharacter(',') && !scanner.complaints.isFull);
  return selectors;
}

function readSelector(scanner: Scanner): CssSelector {
  const parts: SelectorPart[] = [];
  scanner.skipSpace();
  const start = scanner.at;
  while (!scanner.isAtEnd && !'{},;'.includes(scanner.character) && !scanner.complaints.isFull) {
    readPart(scanner, parts);
    scanner.skipSpace();
  }
  if (scanner.at === start)
    scanner.complaints.add(
      start,
      'selector',
      `${expected} was expected, but ${scanner.formatNextCharacter()} was found`,
    );
  return { parts };
}

function readPart(scanner: Scanner, parts: SelectorPart[]): void {
  if (scanner.readCharacter('*')) {
    parts.push({ kind: 'all' });
    return;
  }
  switch (scanner.character) {
    case '[':
      parts.push(...readFilterParts(scanner));
      return;
    case ':':
      parts.push(...readSymbol(scanner));
      return;
    case '#': {
      const identifier = scanner.readPattern(identifierPattern);
      if (identifier !== undefined) {
        parts.push({ kind: 'identifier', identifier: identifier.slice(1) });
        return;
      }
    }
  }
  const name = readTypeName(scanner);
  if (name !== undefined) {
    parts.push({ kind: 'type', name });
    return;
  }
  scanner.complaints.add(
    scanner.at,
    'selector',
    `${expected} was expected, but ${scanner.formatNextCharacter()} was found`,
  );
  scanner.at += 1;
  scanner.skipTo('{};');
}

/** `topp:states` is a prefixed name, `states:mark` selects the marks of a type. */
function readTypeName(scanner: Scanner): string | undefined {
  const name = scanner.readPattern(typePattern);
  if (name === undefined) return undefined;
  symbolPattern.lastIndex = scanner.at;
  return symbolPattern.test(scanner.text) ? name : name + (scanner.readPattern(qualifiedPattern) ?? '');
}

function readSymbol(scanner: Scanner): readonly SelectorPart[] {
  const offset = scanner.at;
  const written = scanner.readPattern(anySymbolPattern) ?? '';
  const isIndexed = written.startsWith(':nth-');
  const name = written.slice(isIndexed ? 5 : 1);
  const index = scanner.readPattern(indexPattern);
  if (!symbolClasses.has(name)) {
    const known = ':mark, :fill, :stroke, :shield, :symbol or a numbered form such as :nth-mark(1)';
    scanner.complaints.add(offset, excerpt(written), `${known} was expected, but '${excerpt(written)}' was found`);
    if (scanner.character === '(') scanner.skipTo('{}');
    return [];
  }
  if (isIndexed && Number(index?.slice(1, -1)) >= 1)
    return [{ kind: 'symbol', symbol: { class: name as SymbolClass, index: Number(index?.slice(1, -1)) } }];
  if (isIndexed || index !== undefined || scanner.character === '(') {
    const example = isIndexed ? `${written}(1)` : `:nth-${name}(1)`;
    scanner.complaints.add(offset, written, `a number from 1 on in brackets, as in '${example}', was expected`);
    if (scanner.character === '(') scanner.skipTo('{}');
    return [];
  }
  return [{ kind: 'symbol', symbol: { class: name as SymbolClass } }];
}

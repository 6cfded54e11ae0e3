/** Reads the terms of values, before the type of the property is considered. */

import { readEcqlExpression } from '../../../filter/ecql/ecql.ts';
import type { Expression } from '../../../filter/model/expression.ts';
import { excerpt } from '../../../lib/text/excerpt.ts';
import { type BracketedText, readBracketed } from './bracketed.ts';
import { isScaleCondition } from './filter-parts.ts';
import { replaceScaleVariables, scaleDenominator, scaleVariables } from './scale-variable.ts';
import { findStringEnd, type Scanner } from './scanner.ts';

export type Term =
  | { readonly kind: 'number'; readonly text: string; readonly unit: string; readonly offset: number }
  | { readonly kind: 'string'; readonly text: string; readonly offset: number }
  | { readonly kind: 'word'; readonly text: string; readonly offset: number }
  | { readonly kind: 'hash'; readonly text: string; readonly offset: number }
  | { readonly kind: 'expression'; readonly expression: Expression; readonly text: string; readonly offset: number }
  | { readonly kind: 'call'; readonly name: string; readonly arguments: readonly Argument[]; readonly offset: number };

/** Adjacent terms, such as `10 5`. */
export type TermList = readonly Term[];

export interface Argument {
  /** As in `levels: 100 200`. */
  readonly name?: string | undefined;
  readonly terms: TermList;
}

const numberPattern = /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+(?![\w]))?/y;
const unitPattern = /%|[A-Za-z]+/y;
const variablePattern = /@[\p{L}_]+/uy;
const hashPattern = /#[\p{L}\p{N}_-]*/uy;
const wordPattern = /-?[\p{L}_][\p{L}\p{N}_-]*(?::[\p{L}_][\p{L}\p{N}_-]*)?(?:\.[\p{L}_][\p{L}\p{N}_-]*)*/uy;
const argumentNamePattern = /[\p{L}_][\p{L}\p{N}_-]*(?=[ \t\r\n]*:[^\p{L}_]|[ \t\r\n]*: )/uy;
const barePattern = /[^'"()\s[\]{};,]+(?=[ \t\r\n]*\))/y;

/** One of the values of a property. */
export interface RawValue {
  readonly terms: TermList;
  readonly text: string;
  /** The end of the value, which for an empty one is its expected position. */
  readonly offset: number;
}

/** Reads values separated by commas, up to a semicolon or the end of the block; returns undefined after an error. */
export function readRawValues(scanner: Scanner, field: string, maxDepth: number): readonly RawValue[] | undefined {
  const values: RawValue[] = [];
  do {
    const start = scanner.at;
    const terms = readTerms(scanner, field, maxDepth);
    if (terms === undefined) return undefined;
    values.push({ terms, text: scanner.text.slice(start, scanner.at), offset: scanner.at });
  } while (scanner.readCharacter(','));
  return values;
}

function readTerms(scanner: Scanner, field: string, depth: number): TermList | undefined {
  const terms: Term[] = [];
  for (;;) {
    scanner.skipSpace();
    if (isAtEndOfTerms(scanner)) return terms;
    const term = readTerm(scanner, field, depth);
    if (term === undefined) return undefined;
    if (term !== 'nothing') terms.push(term);
  }
}

function isAtEndOfTerms(scanner: Scanner): boolean {
  return scanner.isAtEnd || ',;}){'.includes(scanner.character);
}

/** Returns 'nothing' for a tolerated deviation, and undefined after an error. */
function readTerm(scanner: Scanner, field: string, depth: number): Term | 'nothing' | undefined {
  const offset = scanner.at;
  const { character } = scanner;
  if (character === '[') return readExpressionTerm(scanner, field);
  if (character === "'" || character === '"') return readString(scanner, field);
  const number = scanner.readPattern(numberPattern);
  if (number !== undefined)
    return { kind: 'number', text: number, unit: scanner.readPattern(unitPattern) ?? '', offset };
  const hash = scanner.readPattern(hashPattern);
  if (hash !== undefined) return { kind: 'hash', text: hash, offset };
  const variable = scanner.readPattern(variablePattern);
  if (variable !== undefined && scaleVariables.has(variable))
    return { kind: 'expression', expression: scaleDenominator, text: variable, offset };
  if (variable !== undefined) {
    scanner.complaints.add(offset, field, `unknown variable '${excerpt(variable)}'. Expected: @sd or @scale`);
    return undefined;
  }
  const word = scanner.readPattern(wordPattern);
  if (word !== undefined) {
    return scanner.readCharacter('(')
      ? readCall(scanner, { field, name: word, offset, depth: depth - 1 })
      : { kind: 'word', text: word, offset };
  }
  const expected = character === ':' ? "';' before the next property" : 'a value';
  scanner.complaints.add(offset, field, `${expected} was expected, but ${scanner.formatNextCharacter()} was found`);
  return undefined;
}

function readExpressionTerm(scanner: Scanner, field: string): Term | 'nothing' | undefined {
  const offset = scanner.at;
  const bracketed = readBracketed(scanner, field);
  if (bracketed === undefined) return undefined;
  const { text } = bracketed;
  const outcome = readEcqlExpression(text, { variables: true });
  if (outcome.kind === 'refused') {
    if (skipScaleCondition(scanner, field, bracketed)) return 'nothing';
    scanner.complaints.add(bracketed.offset + outcome.complaint.offset, field, outcome.complaint.message);
    return undefined;
  }
  const expression = replaceScaleVariables(outcome.value);
  if (expression.kind !== 'unknown') return { kind: 'expression', expression, text, offset };
  scanner.complaints.add(offset, field, `unknown variable '${excerpt(expression.name)}'. Expected: @sd or @scale`);
  return undefined;
}

/**
 * Skips a scale condition before a value, as in `[@sd < 1M] 4`. Values have no conditions, but the value is
 * unambiguous.
 */
function skipScaleCondition(scanner: Scanner, field: string, { text, offset }: BracketedText): boolean {
  scanner.skipSpace();
  if (isAtEndOfTerms(scanner) || !isScaleCondition(text)) return false;
  const where = `'[${excerpt(text)}]' is a condition, which belongs before the block of a rule`;
  scanner.complaints.warnUnlessStrict(
    offset - 1,
    field,
    `${where}: it has no effect here`,
    `${where}, but a value was expected`,
  );
  return true;
}

export function readString(scanner: Scanner, field: string): (Term & { readonly kind: 'string' }) | undefined {
  const offset = scanner.at;
  const end = findStringEnd(scanner.text, offset);
  if (end === undefined) {
    scanner.complaints.add(offset, field, `the string that begins here has no closing ${scanner.character}`);
    return undefined;
  }
  scanner.at = end;
  return { kind: 'string', text: scanner.text.slice(offset + 1, end - 1).replace(/\\(['"\\])/g, '$1'), offset };
}

interface CallStart {
  readonly field: string;
  readonly name: string;
  readonly offset: number;
  readonly depth: number;
}

function readCall(scanner: Scanner, { field, name, offset, depth }: CallStart): Term | undefined {
  if (depth <= 0) {
    scanner.complaints.add(offset, field, 'functions are nested too deeply');
    return undefined;
  }
  const found: Argument[] = [];
  scanner.skipSpace();
  const bareOffset = scanner.at;
  // The address of a picture may be unquoted, as in web style sheets.
  const bare = name.toLowerCase() === 'url' ? scanner.readPattern(barePattern) : undefined;
  if (bare !== undefined) {
    found.push({ terms: [{ kind: 'string', text: bare, offset: bareOffset }] });
    scanner.skipSpace();
  } else if (scanner.character !== ')') {
    do {
      const parameter = readArgument(scanner, field, depth);
      if (parameter === undefined) return undefined;
      found.push(parameter);
    } while (scanner.readCharacter(','));
  }
  if (scanner.readCharacter(')')) return { kind: 'call', name, arguments: found, offset };
  const where = `'${excerpt(name)}(' has no closing ')'`;
  scanner.complaints.add(offset, field, `${where}: ${scanner.formatNextCharacter()} was found instead`);
  return undefined;
}

function readArgument(scanner: Scanner, field: string, depth: number): Argument | undefined {
  scanner.skipSpace();
  const name = scanner.readPattern(argumentNamePattern);
  if (name !== undefined) {
    scanner.skipSpace();
    scanner.readCharacter(':');
  }
  const terms = readTerms(scanner, field, depth);
  return terms === undefined ? undefined : { name, terms };
}

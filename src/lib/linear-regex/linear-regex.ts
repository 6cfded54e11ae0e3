/** Regular expressions that clients write, matched in linear time: against the whole text, or anywhere in it. */
import { RE2JS, RE2JSException, RE2JSSyntaxException } from 're2js';
import { problem } from '../problems/problem.ts';
import { excerpt } from '../text/excerpt.ts';
import { findAmbiguousClass, findExcessiveSize, type RegexFault } from './faults.ts';
import { computeRequiredLiteral } from './required-literal.ts';
import { explainSyntaxError } from './syntax-error.ts';
import { type RegexToken, tokenize } from './tokens.ts';

export interface LinearRegex {
  readonly source: string;
  /** Whether the whole text matches; for a text too long to be looked at within the step limit, `ifTooLong` (false). */
  matches(text: string, ifTooLong?: boolean): boolean;
  /** The first match that begins at `from` or later; none in a text too long to be looked at within the step limit. */
  find(text: string, from?: number): RegexMatch | undefined;
}

export interface RegexMatch {
  /** In UTF-16 units; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Of its groups in their order, empty for those that took no part, and where each ends. */
  readonly groups: readonly { readonly text: string; readonly end: number }[];
}

/** What a regular expression is for, so that a complaint can name it. */
export interface RegexUse {
  /** For the sentence: `The regex of the URL check`. */
  readonly what: string;
  /** The field or query parameter it came in. */
  readonly field: string;
}

/** A thousand alternatives of two characters; people write a tenth of it. */
export const MAX_REGEX_LENGTH = 2_000;

/** Parts of the compiled form: an alternation of fifty host names. The cost of a step grows with it. */
const MAX_PARTS = 1_000;

/** Parts times characters. A step costs 0.15 µs at worst, so that no match keeps the process busy beyond 150 ms. */
const MAX_STEPS = 1_000_000;

/** Compiles an expression, or throws `regex-invalid` with the reason and the position. */
export function compileLinearRegex(source: string, use: RegexUse): LinearRegex {
  const tokens = tokenize(source.slice(0, MAX_REGEX_LENGTH));
  const compiled = compile(source, tokens, use);
  return createPrefilteredRegex(source, tokens, () => compiled);
}

/** For an expression that has been compiled before: it is compiled again when a text first comes near to matching. */
export function createLazyLinearRegex(source: string, use: RegexUse): LinearRegex {
  const tokens = tokenize(source.slice(0, MAX_REGEX_LENGTH));
  let compiled: RE2JS | undefined;
  return createPrefilteredRegex(source, tokens, () => {
    compiled ??= compile(source, tokens, use);
    return compiled;
  });
}

function createPrefilteredRegex(source: string, tokens: readonly RegexToken[], compiled: () => RE2JS): LinearRegex {
  const literal = computeRequiredLiteral(source, tokens);
  return Object.freeze({
    source,
    matches(text: string, ifTooLong = false) {
      if (!text.includes(literal)) {
        return false;
      }
      const regex = compiled();
      return text.length * regex.programSize() <= MAX_STEPS ? regex.testExact(text) : ifTooLong;
    },
    find(text: string, from = 0) {
      if (from > text.length || !text.includes(literal, from)) return undefined;
      const regex = compiled();
      if (text.length * regex.programSize() > MAX_STEPS) return undefined;
      const matcher = regex.matcher(text);
      if (!matcher.find(from)) return undefined;
      return {
        start: matcher.start(),
        end: matcher.end(),
        text: matcher.group() ?? '',
        groups: Array.from({ length: matcher.groupCount() }, (_, index) => ({
          text: matcher.group(index + 1) ?? '',
          end: matcher.end(index + 1),
        })),
      };
    },
  });
}

function compile(source: string, tokens: readonly RegexToken[], use: RegexUse): RE2JS {
  const objection =
    findSourceFault(source) ?? findAmbiguousClass(source, tokens) ?? findExcessiveSize(tokens, MAX_PARTS);
  if (objection !== undefined) {
    throw createRegexProblem(source, use, objection);
  }
  try {
    return RE2JS.compile(source);
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) {
      throw createRegexProblem(source, use, explainSyntaxError(error, source, tokens));
    }
    if (error instanceof RE2JSException) {
      throw createRegexProblem(source, use, { reason: 'it cannot be compiled', offset: 0 });
    }
    throw error;
  }
}

function findSourceFault(source: string): RegexFault | undefined {
  if (source.length > MAX_REGEX_LENGTH) {
    return { reason: `it is longer than ${MAX_REGEX_LENGTH} characters`, offset: MAX_REGEX_LENGTH };
  }
  return source.isWellFormed() ? undefined : { reason: 'it is not valid Unicode text', offset: 0 };
}

function createRegexProblem(source: string, use: RegexUse, { reason, offset }: RegexFault) {
  const position = [...source.slice(0, offset)].length + 1;
  return problem('regex-invalid', { ...use, regex: excerpt(source), reason, position });
}

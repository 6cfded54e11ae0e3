/** Regular expressions of clients, matched in linear time against the whole text or anywhere in it. */
import type { RE2JS } from 're2js';
import { problem } from '../problems/problem.ts';
import { excerpt } from '../text/excerpt.ts';
import { loadEngine } from './engine.ts';
import { findAmbiguousClass, findExcessiveSize, type RegexFault } from './faults.ts';
import { computeRequiredLiteral } from './required-literal.ts';
import { explainSyntaxError } from './syntax-error.ts';
import { type RegexToken, tokenize } from './tokens.ts';

export interface LinearRegex {
  readonly source: string;
  /** Returns whether the whole text matches; `ifTooLong` (default false) if the text exceeds the step limit. */
  matches(text: string, ifTooLong?: boolean): boolean;
  /** Returns the first match at or after `from`; undefined also if the text exceeds the step limit. */
  find(text: string, from?: number): RegexMatch | undefined;
}

export interface RegexMatch {
  /** In UTF-16 units; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** The groups in order, each with its end; the text is empty for groups that did not participate. */
  readonly groups: readonly { readonly text: string; readonly end: number }[];
}

/** The use of a regular expression, for error messages. */
export interface RegexUse {
  /** The subject of the message, such as `The regex of the URL check`. */
  readonly what: string;
  /** The field or query parameter that contains it. */
  readonly field: string;
}

/** About ten times the length of typical expressions. */
export const MAX_REGEX_LENGTH = 2_000;

/** Parts of the compiled form, enough for an alternation of fifty host names. The cost of a step grows with it. */
const MAX_PARTS = 1_000;

/** Parts times characters. A step costs 0.15 µs at worst, so that no match keeps the process busy beyond 150 ms. */
const MAX_STEPS = 1_000_000;

/** Compiles an expression, or throws `regex-invalid` with the reason and the position. */
export function compileLinearRegex(source: string, use: RegexUse): LinearRegex {
  const tokens = tokenize(source.slice(0, MAX_REGEX_LENGTH));
  const compiled = compile(source, tokens, use);
  return createPrefilteredRegex(source, tokens, () => compiled);
}

/** For an expression that was validated before: it is compiled when the first text passes the literal prefilter. */
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
  const fault = findSourceFault(source) ?? findAmbiguousClass(source, tokens) ?? findExcessiveSize(tokens, MAX_PARTS);
  if (fault !== undefined) {
    throw createRegexProblem(source, use, fault);
  }
  const { RE2JS, RE2JSException, RE2JSSyntaxException } = loadEngine();
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

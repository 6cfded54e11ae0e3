/**
 * Regular expressions for values in file names: every match is a value, with its groups concatenated. Matching takes
 * linear time, which excludes look-around. The common use of look-around in mosaics, at the two ends of the expression,
 * is emulated.
 */

import { compileLinearRegex, type LinearRegex, type RegexUse } from '../../lib/linear-regex/linear-regex.ts';
import { type RegexToken, tokenize } from '../../lib/linear-regex/tokens.ts';
import { problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';

export interface FileNamePattern {
  /** Returns all values in the text in order. */
  find(text: string): readonly string[];
}

/** Sufficient for a file name of 255 characters; bounds the number of searches. */
const MAX_SEARCHES = 300;

interface Edge {
  readonly isWanted: boolean;
  readonly inside: string;
}

/** Throws `regex-invalid` if the expression is invalid or cannot be matched in linear time. */
export function compileFileNamePattern(source: string, use: RegexUse): FileNamePattern {
  const { before, body, behind } = splitEdges(source);
  if (behind?.isWanted === false && isElastic(body)) {
    throw problem('regex-invalid', {
      ...use,
      regex: excerpt(source),
      reason: 'a negative lookahead is supported only after a text of fixed length',
      position: [...body].length + 1,
    });
  }
  // A pattern without edges is compiled unchanged, so that errors point into it.
  const hasEdges = before !== undefined || behind !== undefined;
  const follows = behind?.isWanted ? `(?:${behind.inside})` : '';
  const regex = compileLinearRegex(hasEdges ? `(${body})${follows}` : source, use);
  const beforeRegex = before === undefined ? undefined : compileLinearRegex(`(?:${before.inside})\\z`, use);
  const behindRegex =
    behind === undefined || behind.isWanted ? undefined : compileLinearRegex(`\\A(?:${behind.inside})`, use);
  const isAllowed = (text: string, start: number, end: number): boolean =>
    (beforeRegex === undefined || hasMatch(beforeRegex, text.slice(0, start)) === before?.isWanted) &&
    (behindRegex === undefined || !hasMatch(behindRegex, text.slice(end)));

  return {
    find(text) {
      const values: string[] = [];
      let from = 0;
      for (let searches = 0; searches < MAX_SEARCHES; searches += 1) {
        const match = regex.find(text, from);
        if (match === undefined) break;
        const [whole, ...inner] = hasEdges ? match.groups : [match, ...match.groups];
        if (whole === undefined) break;
        const isFound = isAllowed(text, match.start, whole.end);
        if (isFound) values.push(inner.length === 0 ? whole.text : inner.map((group) => group.text).join(''));
        // The lookahead may be the start of the next match; an empty match would be found repeatedly.
        from = isFound && whole.end > match.start ? whole.end : match.start + 1;
      }
      return values;
    },
  };
}

function hasMatch(regex: LinearRegex, text: string): boolean {
  return regex.find(text) !== undefined;
}

function splitEdges(source: string): { readonly before?: Edge; readonly body: string; readonly behind?: Edge } {
  const tokens = tokenize(source);
  const first = tokens[0];
  const opening = first === undefined ? '' : source.slice(first.start, first.end);
  const firstClose = first?.kind === 'open' ? findClose(tokens, 0) : -1;
  const isBefore = /^\(\?<[=!]$/.test(opening) && firstClose > 0 && tokens[firstClose + 1]?.kind !== 'repeat';
  const bodyStart = isBefore ? (tokens[firstClose]?.end ?? 0) : 0;
  const lastOpen = tokens.findLastIndex(
    (token, index) => token.kind === 'open' && findClose(tokens, index) === tokens.length - 1,
  );
  const last = lastOpen < 0 ? undefined : tokens[lastOpen];
  const isBehind =
    last !== undefined && last.start >= bodyStart && /^\(\?[=!]$/.test(source.slice(last.start, last.end));
  // With alternatives, an edge belongs to only one of them.
  if ((!isBefore && !isBehind) || hasTopAlternative(tokens)) return { body: source };
  return {
    ...(isBefore && first !== undefined
      ? { before: { isWanted: opening.endsWith('='), inside: source.slice(first.end, bodyStart - 1) } }
      : {}),
    body: source.slice(bodyStart, isBehind ? last.start : source.length),
    ...(isBehind
      ? { behind: { isWanted: source[last.end - 1] === '=', inside: source.slice(last.end, source.length - 1) } }
      : {}),
  };
}

function findClose(tokens: readonly RegexToken[], open: number): number {
  let depth = 0;
  return tokens.findIndex((token, index) => {
    if (index < open) return false;
    depth += token.kind === 'open' ? 1 : token.kind === 'close' ? -1 : 0;
    return depth === 0;
  });
}

function hasTopAlternative(tokens: readonly RegexToken[]): boolean {
  let depth = 0;
  return tokens.some(({ kind }) => {
    depth += kind === 'open' ? 1 : kind === 'close' ? -1 : 0;
    return depth === 0 && kind === 'alternative';
  });
}

/** Returns whether it can match texts of different lengths at the same position. */
function isElastic(source: string): boolean {
  return tokenize(source).some(
    ({ kind, start, end }) =>
      kind === 'alternative' || (kind === 'repeat' && !/^\{\d+\}$/.test(source.slice(start, end))),
  );
}

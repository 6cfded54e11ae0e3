/**
 * Regular expressions for values in file names: every match is a value, with its groups concatenated. Matching takes
 * linear time, except for expressions with look-around, which need the full engine and a thread with a deadline.
 */
import { findAmbiguousClass } from '../../lib/linear-regex/faults.ts';
import { compileLinearRegex, MAX_REGEX_LENGTH, type RegexUse } from '../../lib/linear-regex/linear-regex.ts';
import { tokenize } from '../../lib/linear-regex/tokens.ts';
import { problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';

export interface FileNamePattern {
  /** Returns all values in the text in order. */
  find(text: string): readonly string[];
}

/** Sufficient for a file name of 255 characters; bounds the number of searches. */
const MAX_SEARCHES = 300;

/** The limit of file systems for a name; it bounds the time of the full engine for most expressions. */
const MAX_NAME_LENGTH = 255;

/** Whether matching can take exponential time: then only a thread with a deadline may do it. */
export function hasLookAround(source: string): boolean {
  return tokenize(source.slice(0, MAX_REGEX_LENGTH)).some(
    ({ kind, start, end }) => kind === 'open' && /^\(\?<?[=!]$/.test(source.slice(start, end)),
  );
}

/** Throws `regex-invalid` if the expression is invalid. */
export function compileFileNamePattern(source: string, use: RegexUse): FileNamePattern {
  return hasLookAround(source) ? compileFullPattern(source, use) : compileLinearPattern(source, use);
}

function compileLinearPattern(source: string, use: RegexUse): FileNamePattern {
  const regex = compileLinearRegex(source, use);
  return {
    find(text) {
      const values: string[] = [];
      let from = 0;
      for (let searches = 0; searches < MAX_SEARCHES; searches += 1) {
        const match = regex.find(text, from);
        if (match === undefined) break;
        values.push(
          joinGroups(
            match.text,
            match.groups.map((group) => group.text),
          ),
        );
        // An empty match would be found repeatedly.
        from = match.end > match.start ? match.end : match.start + 1;
      }
      return values;
    },
  };
}

function compileFullPattern(source: string, use: RegexUse): FileNamePattern {
  const regex = compileFullRegex(source, use);
  return {
    find: (text) =>
      text.length > MAX_NAME_LENGTH
        ? []
        : [...text.matchAll(regex)].map(([whole, ...groups]) =>
            joinGroups(
              whole,
              groups.map((group) => group ?? ''),
            ),
          ),
  };
}

function joinGroups(whole: string, groups: readonly string[]): string {
  return groups.length === 0 ? whole : groups.join('');
}

function compileFullRegex(source: string, use: RegexUse): RegExp {
  const createProblem = (reason: string, offset: number) =>
    problem('regex-invalid', { ...use, regex: excerpt(source), reason, position: offset + 1 });
  if (source.length > MAX_REGEX_LENGTH) {
    throw createProblem(`it is longer than ${MAX_REGEX_LENGTH} characters`, MAX_REGEX_LENGTH);
  }
  const fault = findAmbiguousClass(source, tokenize(source));
  if (fault !== undefined) throw createProblem(fault.reason, fault.offset);
  const [, flags = '', body = source] = /^\(\?([ims]+)\)(.*)$/s.exec(source) ?? [];
  try {
    return new RegExp(replaceAnchors(body), `g${[...new Set(flags)].join('')}`);
  } catch {
    throw createProblem('it is not a valid regular expression', 0);
  }
}

/** Java has separate anchors for the start and the end of the text. */
function replaceAnchors(source: string): string {
  return tokenize(source)
    .map(({ start, end }) => source.slice(start, end))
    .map((text) => (text === '\\A' ? '^' : /^\\[zZ]$/.test(text) ? '$' : text))
    .join('');
}

/** Regular expressions in functions, matched in linear time. */
import { createLruCache } from '../../../lib/cache/lru-cache.ts';
import { compileLinearRegex, type LinearRegex } from '../../../lib/linear-regex/linear-regex.ts';
import { Problem } from '../../../lib/problems/problem.ts';

/** The expressions of a few styles. */
const MAX_REMEMBERED = 200;

/** Real texts have a handful of matches. */
const MAX_REPLACEMENTS = 1_000;

/** Each search reads the rest of the text, so that many matches in a long text are expensive. */
const MAX_SEARCHED_CHARACTERS = 2_000_000;

const known = createLruCache<{ readonly regex: LinearRegex | undefined }>(MAX_REMEMBERED);

/** Returns undefined for an invalid or unsupported expression. */
function findRegex(source: string): LinearRegex | undefined {
  const remembered = known.get(source);
  if (remembered !== undefined) return remembered.regex;
  const regex = compileOrNothing(source);
  known.set(source, { regex }, 1);
  return regex;
}

function compileOrNothing(source: string): LinearRegex | undefined {
  try {
    return compileLinearRegex(source, { what: 'The pattern', field: 'pattern' });
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

/** Returns whether the whole text matches; undefined for an invalid expression. */
export function matchesRegex(text: string, source: string): boolean | undefined {
  return findRegex(source)?.matches(text);
}

/** Returns the whole text and the groups of an expression that matches it; undefined if it does not match. */
export function findGroups(text: string, source: string): readonly string[] | undefined {
  const match = findRegex(`\\A(?:${source})\\z`)?.find(text, 0);
  return match && [match.text, ...match.groups.map((group) => group.text)];
}

/** Replaces the first match or all; `$1` in the replacement is the first group. Returns undefined beyond the limits. */
export function replaceRegex(
  text: string,
  source: string,
  replacement: string,
  { everywhere, maxLength }: { readonly everywhere: boolean; readonly maxLength: number },
): string | undefined {
  const regex = findRegex(source);
  if (regex === undefined) return undefined;
  let [result, at, searched] = ['', 0, 0];
  for (let count = 0; count < MAX_REPLACEMENTS; count += 1) {
    searched += text.length - at;
    if (searched > MAX_SEARCHED_CHARACTERS) return undefined;
    const match = regex.find(text, at);
    if (match === undefined) return result + text.slice(at);
    const groups = [match.text, ...match.groups.map((group) => group.text)];
    result += text.slice(at, match.start) + expandReplacement(replacement, groups);
    if (result.length > maxLength) return undefined;
    at = match.end;
    if (!everywhere) return result + text.slice(at);
    if (match.end === match.start) {
      // An empty match does not advance by itself.
      if (at >= text.length) return result;
      result += text.charAt(at);
      at += 1;
    }
  }
  return undefined;
}

function expandReplacement(replacement: string, groups: readonly string[]): string {
  return replacement.replace(/\\(.)|\$(\d)/gs, (_, escaped?: string, group?: string) =>
    group === undefined ? (escaped ?? '') : (groups[Number(group)] ?? ''),
  );
}

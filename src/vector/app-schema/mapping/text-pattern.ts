/** The patterns of `strReplace` in mappings: regular expressions with guaranteed linear time. */
import { compileLinearRegex, createLazyLinearRegex, type LinearRegex } from '../../../lib/linear-regex/linear-regex.ts';
import { Problem } from '../../../lib/problems/problem.ts';

const use = { what: 'the pattern of strReplace', field: 'OCQL' } as const;

/** Longer than real property values; replacements could otherwise exhaust memory. */
const MAX_TEXT_LENGTH = 100_000;

/** Returns the error of a pattern as the end of a sentence. */
export function findPatternObjection(pattern: string): string | undefined {
  try {
    compileLinearRegex(pattern, use);
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.message.replace(/\.$/, '');
  }
}

/** In a replacement `$1` is the first group, and `\` escapes the next character. */
export function createTextReplacer(
  pattern: string,
): (text: string, replacement: string, everywhere: boolean) => string | null {
  const regex = createLazyLinearRegex(pattern, use);
  return (text, replacement, everywhere) => replaceMatches(regex, text, replacement, everywhere);
}

/** Returns null if the result would be too long. */
function replaceMatches(regex: LinearRegex, text: string, replacement: string, everywhere: boolean): string | null {
  let result = '';
  let kept = 0;
  for (let from = 0; from <= text.length; ) {
    const match = regex.find(text, from);
    if (match === undefined) break;
    const groups = [match.text, ...match.groups.map((group) => group.text)];
    const put = replacement.replaceAll(/\\(.)|\$(\d)/gs, (_, escaped?: string, group?: string) =>
      escaped === undefined ? (groups[Number(group)] ?? '') : escaped,
    );
    result += text.slice(kept, match.start) + put;
    if (result.length > MAX_TEXT_LENGTH) return null;
    kept = match.end;
    if (!everywhere) break;
    // After an empty match the next character is kept.
    from = match.end > match.start ? match.end : match.end + 1;
  }
  return result + text.slice(kept);
}

/** The patterns of `strReplace` in mappings: regular expressions, which run in linear time whatever they are. */
import { compileLinearRegex, createLazyLinearRegex, type LinearRegex } from '../../../lib/linear-regex/linear-regex.ts';
import { Problem } from '../../../lib/problems/problem.ts';

const use = { what: 'the pattern of strReplace', field: 'OCQL' } as const;

/** Nobody writes a longer text into a property; replacements could make one that fills the memory. */
const MAX_TEXT_LENGTH = 100_000;

/** What is wrong with a pattern; the end of a sentence. */
export function findPatternObjection(pattern: string): string | undefined {
  try {
    compileLinearRegex(pattern, use);
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.message.replace(/\.$/, '');
  }
}

/** In a replacement `$1` stands for the first group, and `\` takes the meaning from what follows. */
export function createTextReplacer(
  pattern: string,
): (text: string, replacement: string, everywhere: boolean) => string | null {
  const regex = createLazyLinearRegex(pattern, use);
  return (text, replacement, everywhere) => replaceMatches(regex, text, replacement, everywhere);
}

/** Null for a text that would be too long. */
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
    // Behind a match of nothing the next character stays.
    from = match.end > match.start ? match.end : match.end + 1;
  }
  return result + text.slice(kept);
}

/** Converts syntax errors of the engine to a reason and an offset. */
import type { RE2JSSyntaxException } from 're2js';
import { loadEngine } from './engine.ts';
import type { RegexFault } from './faults.ts';
import type { RegexToken } from './tokens.ts';

const reasons: Readonly<Record<string, string>> = {
  'invalid character class range': 'this is not a valid character class or range',
  'invalid escape sequence': 'this escape is unknown',
  'invalid named capture': 'look-behind is not supported, and a name can contain letters, digits and _ only',
  'invalid or unsupported Perl syntax': 'look-around, atomic groups and other extensions are not supported',
  'invalid nested repetition operator': 'a repeat of a repeat or a possessive repeat is not supported',
  'invalid repeat count':
    'a repeat count can be at most 1000, nested counts multiplied, and the first must not exceed the second',
  'missing closing ]': 'the character class that begins here is not closed',
  'missing closing )': 'the group that begins here is not closed',
  'missing argument to repetition operator': 'nothing precedes this repeat',
  'trailing backslash at end of expression': 'it ends with a backslash',
  'duplicate capture group name': 'two groups have the same name',
  'unexpected )': 'this ) closes no group',
  'expression nests too deeply': 'it is nested too deeply',
  'expression too large': 'it is too large',
};

export function explainSyntaxError(
  error: RE2JSSyntaxException,
  source: string,
  tokens: readonly RegexToken[],
): RegexFault {
  const complaint = error.getDescription();
  const fragment = error.getPattern() ?? '';
  const reason = /^\\[1-9]/.test(fragment)
    ? 'back-references are not supported'
    : (reasons[complaint] ?? 'it is not a valid regular expression');
  return { reason, offset: computeErrorOffset(complaint, fragment, source, tokens) };
}

function computeErrorOffset(
  complaint: string,
  fragment: string,
  source: string,
  tokens: readonly RegexToken[],
): number {
  if (complaint === 'missing closing )') {
    return getLastOpenGroup(tokens);
  }
  const token = getFirstFailing(complaint, source, tokens);
  const within = token.kind === 'class' ? source.slice(token.start, token.end).indexOf(fragment) : 0;
  return token.start + Math.max(0, within);
}

/** Finds the token at fault: every prefix of the pattern that includes it fails with the same error. */
function getFirstFailing(complaint: string, source: string, tokens: readonly RegexToken[]): RegexToken {
  let low = 0;
  let high = tokens.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (findSyntaxError(source.slice(0, tokens[middle]?.end)) === complaint) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return tokens[low] ?? { kind: 'item', start: 0, end: 0 };
}

function findSyntaxError(source: string): string | undefined {
  const { RE2JS, RE2JSSyntaxException } = loadEngine();
  try {
    RE2JS.compile(source);
    return undefined;
  } catch (error) {
    return error instanceof RE2JSSyntaxException ? error.getDescription() : undefined;
  }
}

function getLastOpenGroup(tokens: readonly RegexToken[]): number {
  const open: number[] = [];
  for (const token of tokens) {
    if (token.kind === 'open') {
      open.push(token.start);
    } else if (token.kind === 'close') {
      open.pop();
    }
  }
  return open.at(-1) ?? 0;
}

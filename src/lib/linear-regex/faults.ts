/**
 * Rejects regular expressions that the engine would interpret differently from other engines, or that are too large.
 */
import type { RegexToken } from './tokens.ts';

export interface RegexFault {
  readonly reason: string;
  /** The offset in the pattern, in UTF-16 units. */
  readonly offset: number;
}

/**
 * Finds class set operations: in Java `[a-z&&[^b]]` is an intersection and `[a[bc]]` a union. RE2 would accept the same
 * text with another meaning, and a URL check could allow URLs that its author meant to reject.
 */
export function findAmbiguousClass(source: string, tokens: readonly RegexToken[]): RegexFault | undefined {
  for (const { kind, start, end } of tokens) {
    if (kind !== 'class') {
      continue;
    }
    const inside = source.slice(start, end).replace(/\\.|\[:\^?\w+:\]/gs, (text) => '.'.repeat(text.length));
    const offset = inside.slice(1).search(/&&|\[/) + 1;
    if (offset > 0) {
      const reason =
        inside[offset] === '&'
          ? 'intersections of character classes (&&) are not supported'
          : 'a [ inside a character class must be written as \\[, since classes cannot be nested';
      return { reason, offset: start + offset };
    }
  }
  return undefined;
}

/** Finds where the pattern, with its counted repeats expanded, exceeds the size limit. */
export function findExcessiveSize(tokens: readonly RegexToken[], maxItems: number): RegexFault | undefined {
  const groups: number[] = [];
  let size = 0;
  let last = 0;
  for (const token of tokens) {
    switch (token.kind) {
      case 'open':
        groups.push(size);
        size = 0;
        last = 0;
        break;
      case 'close':
        last = size + 1;
        size = (groups.pop() ?? 0) + last;
        break;
      case 'repeat': {
        const repeated = last * (token.times ?? 1) + 1;
        size += repeated - last;
        last = repeated;
        break;
      }
      case 'flags':
        break;
      default:
        last = token.end - token.start > 8 && token.kind === 'item' ? token.end - token.start : 1;
        size += last;
    }
    if (size > maxItems) {
      return {
        reason: `it is too large with its repeats expanded (more than ${maxItems} parts)`,
        offset: token.start,
      };
    }
  }
  return undefined;
}

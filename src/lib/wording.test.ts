import { describe, expect, it } from 'vitest';
import { withArticle } from './wording.ts';

describe('the article of what a message names', () => {
  it.each([
    ['workspace', 'a workspace'],
    ['user/group service', 'a user/group service'],
    ['URL check', 'a URL check'],
    ['authentication provider', 'an authentication provider'],
    ["'order'", "an 'order'"],
    ["'rules'", "a 'rules'"],
  ])('fits %s', (words, expected) => {
    expect(withArticle(words)).toBe(expected);
  });
});

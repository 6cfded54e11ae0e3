import { describe, expect, it } from 'vitest';
import { addArticle, enumerate, limitSentences, toPrintable } from './wording.ts';

describe('the article of what a message names', () => {
  it.each([
    ['workspace', 'a workspace'],
    ['user/group service', 'a user/group service'],
    ['URL check', 'a URL check'],
    ['authentication provider', 'an authentication provider'],
    ["'order'", "an 'order'"],
    ["'rules'", "a 'rules'"],
  ])('fits %s', (words, expected) => {
    expect(addArticle(words)).toBe(expected);
  });
});

describe('a list in a message', () => {
  it('names all of a few', () => {
    expect(enumerate(['a', 'b'], 2)).toBe('a, b');
  });

  it('names ten of many, and counts the rest', () => {
    const names = Array.from({ length: 12 }, (_, index) => `n${index}`);

    expect(enumerate(names, 1_000)).toBe('n0, n1, n2, n3, n4, n5, n6, n7, n8, n9 and 990 more');
  });
});

describe('a text of a client in a message', () => {
  it('is shown as it is', () => {
    expect(toPrintable('städte und gemeinden')).toBe('städte und gemeinden');
  });

  it('shows what nobody would see, or what would turn the rest around', () => {
    expect(toPrintable('a\n\u202eb\ud800')).toBe('a\ufffd\ufffdb\ufffd');
  });

  it('is cut off where it is too long, and stays Unicode text', () => {
    expect(toPrintable('abc😀', 4)).toBe('abc\ufffd…');
  });
});

it('tells the first ten sentences and counts the others', () => {
  const sentences = Array.from({ length: 12 }, (_, index) => `${index}.`);

  expect(limitSentences(sentences.slice(0, 10))).toEqual(sentences.slice(0, 10));
  expect(limitSentences(sentences)).toEqual([...sentences.slice(0, 10), 'And 2 more of this kind.']);
});

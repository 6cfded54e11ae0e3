import { describe, expect, it } from 'vitest';
import { addArticle, enumerate, formatChoices, formatCount, limitSentences, toPrintable } from './wording.ts';

describe('addArticle', () => {
  it.each([
    ['workspace', 'a workspace'],
    ['user/group service', 'a user/group service'],
    ['URL check', 'a URL check'],
    ['authentication provider', 'an authentication provider'],
    ["'order'", "an 'order'"],
    ["'rules'", "a 'rules'"],
  ])('adds the article that fits %s', (words, expected) => {
    expect(addArticle(words)).toBe(expected);
  });
});

describe('formatCount', () => {
  it('uses the singular for 1 only', () => {
    expect([0, 1, 2].map((count) => formatCount(count, 'value'))).toEqual(['0 values', '1 value', '2 values']);
  });
});

describe('formatChoices', () => {
  it('returns a single value without "one of"', () => {
    expect(formatChoices(['json'])).toBe('json');
    expect(formatChoices(['json', 'xml'])).toBe('one of json, xml');
  });
});

describe('enumerate', () => {
  it('lists every name of a short list', () => {
    expect(enumerate(['a', 'b'], 2)).toBe('a, b');
  });

  it('lists ten names of a long list and counts the rest', () => {
    const names = Array.from({ length: 12 }, (_, index) => `n${index}`);

    expect(enumerate(names, 1_000)).toBe('n0, n1, n2, n3, n4, n5, n6, n7, n8, n9 and 990 more');
  });
});

describe('toPrintable', () => {
  it('keeps printable text', () => {
    expect(toPrintable('städte und gemeinden')).toBe('städte und gemeinden');
  });

  it('replaces control and bidirectional characters', () => {
    expect(toPrintable('a\n\u202eb\ud800')).toBe('a\ufffd\ufffdb\ufffd');
  });

  it('truncates a long text and keeps it well-formed Unicode', () => {
    expect(toPrintable('abc😀', 4)).toBe('abc\ufffd…');
  });
});

it('returns the first ten sentences and counts the others', () => {
  const sentences = Array.from({ length: 12 }, (_, index) => `${index}.`);

  expect(limitSentences(sentences.slice(0, 10))).toEqual(sentences.slice(0, 10));
  expect(limitSentences(sentences)).toEqual([...sentences.slice(0, 10), 'And 2 more of this kind.']);
});

import { describe, expect, it } from 'vitest';
import { formatEntityTag, isFresh, parsePrecondition, parseReadPrecondition } from './reply.ts';

it('the tag of a resource contains version and format, because the bytes differ', () => {
  expect(formatEntityTag(17, 'json')).toBe('"17.json"');
});

describe('copy of version 17 in JSON', () => {
  it.each([
    ['"17.json"', true],
    ['W/"17.json"', true],
    ['"3.json", "17.json"', true],
    ['*', true],
    [' * ', true],
    ['"17.xml"', false],
    ['"16.json"', false],
    ['"170.json"', false],
    ['17.json', false],
    ['""', false],
    ['', false],
  ])('matches If-None-Match %s: %s', (header, expected) => {
    expect(isFresh({ 'if-none-match': header }, '"17.json"')).toBe(expected);
  });

  it('does not match without the header', () => {
    expect(isFresh({}, '"17.json"')).toBe(false);
  });
});

describe('a precondition', () => {
  it.each([
    ['no header', {}, {}],
    ['one version', { 'if-match': '"17.json"' }, { ifMatch: new Set([17]) }],
    ['one version, in another format', { 'if-match': '"17.xml"' }, { ifMatch: new Set([17]) }],
    ['one version without a format', { 'if-match': '"17"' }, { ifMatch: new Set([17]) }],
    ['several versions', { 'if-match': '"17.json","18.xml"' }, { ifMatch: new Set([17, 18]) }],
    ['existence', { 'if-match': '*' }, { ifMatch: 'any' }],
    ['a weak tag, which never matches', { 'if-match': 'W/"17.json"' }, { ifMatch: new Set() }],
    ['a foreign tag', { 'if-match': '"abc"' }, { ifMatch: new Set() }],
    ['an invalid tag', { 'if-match': '17' }, { ifMatch: new Set() }],
    ['absence', { 'if-none-match': '*' }, { ifNoneMatch: 'any' }],
    ['not this version', { 'if-none-match': '"17.json"' }, { ifNoneMatch: new Set([17]) }],
    ['not this version, as a weak tag', { 'if-none-match': 'W/"17.json"' }, { ifNoneMatch: new Set([17]) }],
    ['both', { 'if-match': '"1.xml"', 'if-none-match': '*' }, { ifMatch: new Set([1]), ifNoneMatch: 'any' }],
  ])('can be %s for a write', (_case, headers, expected) => {
    expect(parsePrecondition(headers)).toEqual(expected);
  });

  it('is only If-Match for a read', () => {
    expect(parseReadPrecondition({ 'if-match': '"1.xml"', 'if-none-match': '"1.xml"' })).toEqual({
      ifMatch: new Set([1]),
    });
  });
});

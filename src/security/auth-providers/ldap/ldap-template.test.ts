import fc from 'fast-check';
import { FilterParser } from 'ldapts';
import { describe, expect, it } from 'vitest';
import { appendBase, escapeDnValue, escapeFilterValue, fillTemplate } from './ldap-template.ts';

describe('LDAP template', () => {
  it('replaces only its placeholders', () => {
    expect(fillTemplate('({0})|({1})|{2}|{}', ['a', 'b'], (value) => value)).toBe('(a)|(b)|{2}|{}');
    expect(fillTemplate('uid={0}', ['{1}$&', 'b'], (value) => value)).toBe('uid={1}$&');
  });

  it('inserts any value into a filter as exactly that value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => {
        const filter = FilterParser.parseString(fillTemplate('(uid={0})', [value, ''], escapeFilterValue));
        expect(filter).toMatchObject({ attribute: 'uid', value });
      }),
    );
  });

  it('inserts any value into a DN as exactly one value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (value) => {
        const escaped = escapeDnValue(value);
        // Every character that could end the value is escaped.
        expect(escaped.replace(/\\(?:[ "#+,;<=>\\]|[0-9a-f]{2})/g, 'x')).not.toMatch(/["+,;<>=\\\0]|^[ #]| $/);
        expect(escaped.replace(/\\([ "#+,;<=>\\])/g, '$1')).toBe(value);
      }),
    );
  });
});

describe('DN below a base', () => {
  it.each([
    ['uid=a', 'dc=x', 'uid=a,dc=x'],
    ['uid=a,dc=x', 'dc=x', 'uid=a,dc=x'],
    ['uid=a, DC = X', 'dc=x', 'uid=a, DC = X'],
    ['dc=x', 'dc=x', 'dc=x'],
    ['', 'dc=x', 'dc=x'],
    ['uid=a', '', 'uid=a'],
    ['uid=adc=x', 'dc=x', 'uid=adc=x,dc=x'],
  ])('combines %j and %j to %j', (name, base, expected) => {
    expect(appendBase(name, base)).toBe(expected);
  });
});

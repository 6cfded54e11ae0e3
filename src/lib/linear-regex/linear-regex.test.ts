import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codePoint } from '../../../test/support/code-points.ts';
import { compileLinearRegex, createLazyLinearRegex, MAX_REGEX_LENGTH } from './linear-regex.ts';
import { computeRequiredLiteral } from './required-literal.ts';
import { tokenize } from './tokens.ts';

const use = { what: 'The regex', field: 'regex' };
const compile = (source: string) => compileLinearRegex(source, use);

describe('matches', () => {
  it.each([
    ['https?://a/.*', 'http://a/b', true],
    ['https?://a/.*', 'xhttp://a/b', false],
    ['a', 'aa', false],
    ['^a$', 'a', true],
    ['^a$', 'a\n', false],
    ['a|', '', true],
    ['', '', true],
    ['', 'a', false],
    ['(?i)ABC', 'abc', true],
    ['\\Qa.b\\E', 'a.b', true],
    ['\\Qa.b\\E', 'axb', false],
    ['[[:alpha:]]+', 'abc', true],
    ['[\\[\\]&]+', '[&]', true],
    ['[^]a]', 'b', true],
    ['\\[a&&\\[b', '[a&&[b', true],
    ['\\p{L}+', 'é', true],
    ['.', '😀', true],
    ['(?P<host>\\w+)', 'abc', true],
  ])('%j on %j gives %j: the whole text must match', (source, text, expected) => {
    expect(compile(source).matches(text)).toBe(expected);
  });

  it.each(['(a+)+$', '(a|aa)+$', '(a|a?)+$', '(.*a){11}', '(.*)(.*)(.*)(.*)(.*)[^a]'])(
    '%j takes no longer on a hostile text than on any other',
    (source) => {
      const startedAtMs = performance.now();

      expect(compile(source).matches(`${'a'.repeat(5_000)}!`)).toBe(source.endsWith('[^a]'));

      expect(performance.now() - startedAtMs).toBeLessThan(60_000);
    },
  );

  it('skips a text that would exceed the step limit', () => {
    expect(compile('a*').matches('a'.repeat(100_000))).toBe(true);
    expect(compile('(?:a?){300}a*').matches('a'.repeat(100_000))).toBe(false);
  });
});

describe('find', () => {
  it('returns the first match from an offset on, with its groups and their ends', () => {
    const regex = compile('_(\\d+)(x)?');

    expect([regex.find('a_12_34x'), regex.find('a_12_34x', 2), regex.find('a_12', 9)]).toEqual([
      {
        start: 1,
        end: 4,
        text: '_12',
        groups: [
          { text: '12', end: 4 },
          { text: '', end: -1 },
        ],
      },
      {
        start: 4,
        end: 8,
        text: '_34x',
        groups: [
          { text: '34', end: 7 },
          { text: 'x', end: 8 },
        ],
      },
      undefined,
    ]);
  });

  it('skips a text that would exceed the step limit', () => {
    expect(compile('(?:a?){300}a*').find('a'.repeat(100_000))).toBe(undefined);
  });
});

describe('required literal', () => {
  it.each([
    ['^https?://host\\.example\\.com(:\\d+)?/.*$', '://host.example.com'],
    ['abc', 'abc'],
    ['ab*c+de', 'de'],
    ['ab{2}cd', 'cd'],
    ['a(bcd)ef', 'ef'],
    ['a|bcd', ''],
    ['(a|b)cd', 'cd'],
    ['(?i)abc', ''],
    ['(?i:abc)def', ''],
    ['(?:a(?-s:b))cd', ''],
    ['a\\dbc', 'bc'],
    ['\\Qabc\\E', ''],
    ['[abc]de.f', 'de'],
    ['😀+a', 'a'],
    ['', ''],
  ])('of %j is %j', (source, literal) => {
    expect(computeRequiredLiteral(source, tokenize(source))).toBe(literal);
  });

  it('compiles when a text first contains the literal', () => {
    const never = createLazyLinearRegex('needle(', use);

    expect(never.matches('hay')).toBe(false);
    expect(() => never.matches('needle')).toThrow(expect.objectContaining({ code: 'regex-invalid' }));
    expect(createLazyLinearRegex('^needle.$', use).matches('needles')).toBe(true);
  });
});

describe('invalid expressions', () => {
  it.each([
    ['(?=a)b', 1, 'look-around'],
    ['ab(?!c)', 3, 'look-around'],
    ['\\(?=(?=a)', 5, 'look-around'],
    ['(?<!a)b', 1, 'look-behind'],
    ['x(?<=a)b', 2, 'look-behind'],
    ['(?>a)', 1, 'atomic'],
    ['(a)\\1', 4, 'back-references'],
    ['a++', 3, 'possessive'],
    ['ab*c*+', 6, 'possessive'],
    ['a**', 3, 'repeat of a repeat'],
    ['a*(*', 4, 'nothing precedes this repeat'],
    ['*a', 1, 'nothing precedes this repeat'],
    ['a{1001}', 2, '1000'],
    ['(?:a{100}b{2})c{1001}', 16, '1000'],
    ['ab[cd', 3, 'not closed'],
    ['a[b-a]', 3, 'range'],
    ['(a(b)', 1, 'not closed'],
    ['a)b', 2, 'closes no group'],
    ['a\\', 2, 'ends with a backslash'],
    ['é😀\\q', 3, 'escape'],
    ['\\p{Nowhere}', 1, 'character class'],
    ['(?<n>a)(?<n>b)', 8, 'same name'],
    ['[a-z&&[^b]]', 5, 'intersections'],
    ['x[\\w&&\\D]', 5, 'intersections'],
    ['[a[bc]]', 3, 'nested'],
    ['[[:alpha:][x]]', 11, 'nested'],
    ['((a{100}){100}){100}', 10, 'too large'],
    ['a{1,900}b{1,900}', 10, 'too large'],
    ['\\Q'.padEnd(1_500, 'x'), 1, 'too large'],
    ['a'.repeat(MAX_REGEX_LENGTH + 1), MAX_REGEX_LENGTH + 1, 'longer than'],
    ['a\ud800', 1, 'Unicode'],
  ])('rejects %j at character %i: %s', (source, position, reason) => {
    expect(() => compile(source)).toThrow(
      expect.objectContaining({
        code: 'regex-invalid',
        details: expect.objectContaining({ position, field: 'regex', reason: expect.stringContaining(reason) }),
      }),
    );
  });

  it('explains the error in one sentence', () => {
    expect(() => compile('^http://(?!evil).*$')).toThrow(
      "The regex ('^http://(?!evil).*$') is invalid at character 9: look-around, atomic groups and other extensions are not supported.",
    );
  });
});

describe('arbitrary expressions', () => {
  const piece = fc.oneof(
    fc.constantFrom('a', 'b', '.', '*', '+', '?', '|', '(', ')', '(?:', '(?=', '[', ']', '[^', '-', '\\', '\\d', '\\1'),
    fc.constantFrom(
      '{2}',
      '{1,}',
      '{0,9}',
      '&&',
      '[:alpha:]',
      '\\Q',
      '\\E',
      '\\x{',
      '}',
      '(?i)',
      '^',
      '$',
      '😀',
      '\\p',
    ),
    fc.string({ unit: codePoint, maxLength: 2 }),
  );

  it('compile or are rejected with a position inside them, quickly', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.string({ maxLength: 40 }), (pieces, text) => {
        const source = pieces.join('');
        try {
          expect(typeof compile(source).matches(text)).toBe('boolean');
        } catch (error) {
          expect(error).toMatchObject({ code: 'regex-invalid' });
          const { position } = (error as { details: { position: number } }).details;
          expect(position).toBeGreaterThanOrEqual(1);
          expect(position).toBeLessThanOrEqual([...source].length + 1);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('match like the built-in engine where both accept them', () => {
    const plain = fc.constantFrom('a', 'b', '.', '*', '+', '?', '|', '(', ')', '[ab]', '[^a]', '\\w', '{2}', '^', '$');
    fc.assert(
      fc.property(fc.array(plain, { maxLength: 7 }), fc.stringMatching(/^[ab-]{0,6}$/), (pieces, text) => {
        const source = pieces.join('');
        let builtIn: RegExp;
        let ours: boolean;
        try {
          builtIn = new RegExp(`^(?:${source})$`, 'u');
          ours = compile(source).matches(text);
        } catch {
          return;
        }
        expect(ours).toBe(builtIn.test(text));
      }),
      { numRuns: 3_000 },
    );
  });
});

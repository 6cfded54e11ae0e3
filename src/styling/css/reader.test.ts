import { describe, expect, test, vi } from 'vitest';
import { writeEcqlFilter } from '../../filter/ecql/ecql.ts';
import { Problem } from '../../lib/problems/problem.ts';
import type { Rule } from '../model/model.ts';
import { type CssLimits, cssLimits } from './model/css-limits.ts';
import { readCss } from './reader.ts';

vi.setConfig({ testTimeout: 60_000 });

function rulesOf(text: string): readonly Rule[] {
  return readCss(text).model.layers.flatMap(({ styles }) =>
    styles.flatMap((style) =>
      style.kind === 'userStyle' ? style.featureTypeStyles.flatMap(({ rules }) => rules) : [],
    ),
  );
}

function complaintsOf(text: string, limits: CssLimits = cssLimits): readonly string[] {
  try {
    readCss(text, { limits });
  } catch (error) {
    if (error instanceof Problem && error.code === 'style-invalid')
      return (error.details.complaints ?? []).map(({ message }) => message);
    throw error;
  }
  return [];
}

describe('readCss', () => {
  test('returns a frozen model and the parsed style sheet', () => {
    const { model, stylesheet } = readCss("@styleName 'a'; roads:mark, topp:roads { fill: red } * { mark: symbol(x) }");

    expect(Object.isFrozen(model.layers[0]?.styles)).toBe(true);
    expect(stylesheet.directives.name).toBe('a');
    expect(stylesheet.rules[0]?.selectors).toEqual([
      {
        parts: [
          { kind: 'type', name: 'roads' },
          { kind: 'symbol', symbol: { class: 'mark' } },
        ],
      },
      { parts: [{ kind: 'type', name: 'topp:roads' }] },
    ]);
  });

  test('limits a rule to the scales it names', () => {
    const [rule] = rulesOf('[@sd >= 5k AND @sd < 10k AND a = 1] { stroke: red }');

    expect(rule).toMatchObject({ minScaleDenominator: 5_000, maxScaleDenominator: 10_000 });
    expect(rule?.filter).toMatchObject({ kind: 'comparison', left: { name: 'a' } });
  });

  test('omits rules that can never match', () => {
    expect(
      rulesOf('* { stroke: red } [a = 1][a = 2] { stroke: blue } [@sd > 10][@sd < 5] { stroke: lime }'),
    ).toHaveLength(1);
  });

  test('uses the last of two declarations and of two equally specific rules', () => {
    const [rule] = rulesOf('* { fill: red; fill: lime } * { fill-opacity: 0.5 } * { fill-opacity: 0.7 }');

    expect(rule?.symbolizers).toEqual([
      {
        kind: 'polygonSymbolizer',
        fill: {
          kind: 'fill',
          color: { kind: 'literal', value: '#00FF00' },
          opacity: { kind: 'literal', value: '0.7' },
        },
      },
    ]);
  });
});

describe('the winning rule', () => {
  const fillOf = (text: string): string | undefined => {
    const [symbolizer] = rulesOf(text)[0]?.symbolizers ?? [];
    const color = symbolizer?.kind === 'polygonSymbolizer' ? symbolizer.fill?.color : undefined;
    return color?.kind === 'literal' ? color.value : undefined;
  };

  test.each([
    ['selects an identifier', '#f.1 { fill: red } [a = 1][b = 1][c = 1] { fill: blue }', '#FF0000'],
    ['has conditions on more attributes', '[a = 1 AND b = 1] { fill: red } [a = 1] { fill: blue }', '#FF0000'],
    [
      'is the later one if both have a condition on one attribute',
      '[a > 1][a < 9] { fill: red } [b = 1] { fill: blue }',
      '#0000FF',
    ],
    [
      'is the later one if both have a condition on the scale',
      '[@sd > 1][@sd < 9] { fill: red } [a = 1] { fill: blue }',
      '#0000FF',
    ],
    ['has a condition on an attribute, not on a type', '[a = 1] { fill: red } roads { fill: blue }', '#FF0000'],
    ['has a condition on a request variable', "[env('x') = 1] { fill: red } * { fill: blue }", '#FF0000'],
  ])('%s', (_, text, expected) => {
    expect(fillOf(text)).toBe(expected);
  });
});

describe('mode Flat', () => {
  test('applies a rule for symbols only to the preceding rule with the same selector', () => {
    const [rule, ...others] = rulesOf(
      "@mode 'Flat'; [a = 1] { mark: symbol(x) } [a = 1] :mark { fill: red } :mark { stroke: blue }",
    );

    expect(others).toEqual([]);
    expect(rule?.symbolizers).toEqual([
      {
        kind: 'pointSymbolizer',
        graphic: {
          kind: 'graphic',
          symbols: [
            {
              kind: 'mark',
              wellKnownName: { kind: 'literal', value: 'x' },
              fill: { kind: 'fill', color: { kind: 'literal', value: '#FF0000' } },
            },
          ],
        },
      },
    ]);
  });

  test('excludes features of a nested rule from its parent', () => {
    const filters = rulesOf("@mode 'Flat'; [a = 1] { label: 'one'; [b = 2] { label: 'two' } }").map(
      ({ filter, symbolizers: [symbolizer] }) => [
        filter === undefined || filter.kind === 'else' ? '' : writeEcqlFilter(filter),
        symbolizer?.kind === 'textSymbolizer' ? symbolizer.label : undefined,
      ],
    );

    expect(filters).toEqual([
      ['("a" = 1) AND ("b" = 2)', { kind: 'literal', value: 'two' }],
      ['("a" = 1) AND (NOT ("b" = 2))', { kind: 'literal', value: 'one' }],
    ]);
  });
});

describe('style sheet beyond a limit', () => {
  const small: CssLimits = { maxDepth: 3, maxRules: 10, maxTranslatedRules: 4, maxSteps: 60 };

  test.each([
    ['nesting', '*{*{*{*{fill:red}}}}', 'rules are nested deeper than the limit of 3 levels'],
    [
      'alternatives',
      `${Array.from({ length: 11 }, (_, index) => `[a = ${index}]`).join()} { fill: red }`,
      'more than the limit of 10 rules',
    ],
    [
      'combinations',
      '* { stroke: red } [a = 1] { stroke-width: 1 } [b = 1] { stroke-opacity: 1 } [c = 1] { stroke-linecap: round }',
      'they produce more than the limit of 4 rules',
    ],
    [
      'steps',
      `* { stroke: red } ${Array.from({ length: 9 }, (_, index) => `[a > ${index}][b > ${index}] { stroke-width: ${index} }`).join(' ')}`,
      'more than the limit of 60 steps',
    ],
  ])('is rejected with the limit of %s', (_, text, expected) => {
    expect(complaintsOf(text, small)).toEqual([expect.stringContaining(expected)]);
  });

  test.each([
    ['braces', '*{'.repeat(300_000)],
    ['brackets', '['.repeat(500_000)],
    ['functions', `* { fill: ${'mix('.repeat(200_000)}`],
    ['signs', '@'.repeat(500_000)],
    ['quotes', `* { label: ${`"'`.repeat(200_000)}`],
    ['comments', '/*'.repeat(500_000)],
  ])('is rejected without a hang or overflow: half a million %s', (_, text) => {
    const start = performance.now();

    expect(complaintsOf(text).length).toBeGreaterThan(0);
    // Generous for busy machines, but far below a hang.
    expect(performance.now() - start).toBeLessThan(120_000);
  });
});

describe('a megabyte of rules', () => {
  const rule = (index: number): string =>
    `/* @title Class ${index} */\n[code = 'c${index}'] [@sd < 50k] {\n  fill: #336699;\n  stroke: rgb(1, 2, 3);\n  stroke-width: 0.5px;\n  label: [name] ' m';\n}\n`;
  const rules = Array.from({ length: 7_000 }, (_, index) => rule(index)).join('');

  test.each(['Flat', 'Auto', 'Exclusive'])('is read in mode %s far below the time limit of the test', (mode) => {
    const start = performance.now();

    expect(rulesOf(`@mode '${mode}';\n${rules}`)).toHaveLength(7_000);
    expect(performance.now() - start).toBeLessThan(120_000);
  });
});

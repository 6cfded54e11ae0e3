/** YSLD as a model, with positions of errors and warnings. */
import { describe, expect, it } from 'vitest';
import { Problem } from '../../lib/problems/problem.ts';
import { convertContent } from '../content/convert-content.ts';
import { readContent } from '../content/read-content.ts';
import { sld10, ysld } from '../content/style-format.ts';
import { readYsld } from './reader.ts';

function readProblems(text: string, strict = false): unknown {
  try {
    return readYsld(text, { strict }).warnings;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.details.complaints ?? error.code;
  }
}

const convert = (text: string): string => convertContent(readContent(Buffer.from(text), { language: 'ysld' }), sld10);

describe('YSLD', () => {
  it('has the axes of variable fonts as a property of labels', () => {
    const text = "text: {label: '${name}', font-family: Open Sans, font-variation: 'wght 650', x-group: true}";

    expect(readProblems(text, true)).toEqual([]);
    expect(convert(text)).toContain('<VendorOption name="font-variation">wght 650</VendorOption>');
    expect(convert(text)).toContain('<VendorOption name="group">true</VendorOption>');
  });

  it('becomes SLD', () => {
    const sld = convert(`
title: Roads
feature-styles:
- x-composite: multiply
  rules:
  - name: main
    filter: \${kind = 'main' AND lanes > 2}
    scale: [1000, 50000]
    symbolizers:
    - line:
        stroke-color: red
        stroke-width: \${lanes}
        x-labelObstacle: true
  - else: true
    symbolizers:
    - line: {stroke-color: '#00ff00'}
`);

    expect(sld).toContain('<Title>Roads</Title>');
    expect(sld).toContain('<MinScaleDenominator>1000</MinScaleDenominator>');
    expect(sld).toContain('<MaxScaleDenominator>50000</MaxScaleDenominator>');
    expect(sld).toContain('<ogc:PropertyName>lanes</ogc:PropertyName>');
    expect(sld).toContain('<VendorOption name="labelObstacle">true</VendorOption>');
    expect(sld).toContain('<VendorOption name="composite">multiply</VendorOption>');
    expect(sld).toContain('<ElseFilter/>');
  });

  it('reads transformations', () => {
    const sld = convert(`
feature-styles:
- transform: {name: 'ras:Contour', params: {levels: [100, 200]}}
  rules:
  - line: {stroke-color: black}
`);

    expect(sld.replaceAll(/\s+/g, '')).toContain(
      '<ogc:Functionname="ras:Contour"><ogc:Functionname="parameter"><ogc:Literal>levels</ogc:Literal><ogc:Literal>100</ogc:Literal>',
    );
  });

  it('is recognised without a media type', () => {
    expect(readContent(Buffer.from('polygon:\n  fill-color: red\n')).format).toEqual(ysld);
  });

  it('reports every error with its pointer, line and column', () => {
    const text = `rules:
- filter: \${kind =}
  scale: [a, b]
  line: {stroke-color: reddish}
- name: empty
`;

    expect(readProblems(text)).toEqual([
      { field: '/rules/0/filter', message: expect.stringMatching(/^line 2, column 11: /) },
      { field: '/rules/0/line/stroke-color', message: "line 4, column 24: 'reddish' is not a colour" },
      { field: '/rules/0/scale', message: 'line 3, column 10: expected two numbers, such as [1000, 50000]' },
      { field: '/rules/1', message: 'line 5, column 3: expected symbolizers: point, line, polygon, text, raster' },
    ]);
    expect(readProblems('rules: [')).toEqual([{ field: '/0', message: expect.stringMatching(/^line 1, column 9: /) }]);
    expect(readProblems('- a')).toEqual([{ field: '', message: 'line 1, column 1: expected a mapping' }]);
  });

  it('ignores unknown keys with a warning, and rejects them in strict handling', () => {
    const text = 'line:\n  stroke-colour: red\n  stroke-width: 2\n';

    expect(readProblems(text)).toEqual([
      "/line/stroke-colour, line 2, column 3: unknown key 'stroke-colour'; it is ignored.",
    ]);
    expect(readProblems(text, true)).toEqual([
      { field: '/line/stroke-colour', message: "line 2, column 3: unknown key 'stroke-colour'" },
    ]);
  });

  it('limits anchors and depth', () => {
    const laughs = Array.from(
      { length: 9 },
      (_, index) =>
        `a${index}: &a${index} [${
          index === 0
            ? 'x'
            : Array(10)
                .fill(`*a${index - 1}`)
                .join(', ')
        }]`,
    );

    expect(readProblems(`${laughs.join('\n')}\nline: {stroke-color: red}\n`)).toBe('document-too-busy');
    expect(readProblems(`line: ${'['.repeat(1000)}`)).toBe('document-too-deep');
    expect(readProblems(`${Array.from({ length: 300 }, (_, index) => `${' '.repeat(index)}a:`).join('\n')}\n`)).toBe(
      'document-too-deep',
    );
    expect(() => readYsld(`${laughs.join('\n')}\nline: {stroke-color: red}\n`)).toThrow(
      /1000 values that aliases repeat/,
    );
  });

  it.each([
    ['a: &a\n  b: *a\nline: {}', 'line 2, column 6'],
    ['x: &a [*a]\nline: {}', 'line 1, column 8'],
    ['rules: &r\n- line: {}\n- *r', 'line 3, column 3'],
  ])('reports aliases inside the value that they repeat: %j', (text, position) => {
    const message = expect.stringMatching(`^${position}: the alias '\\*.' is inside the value that it repeats$`);

    expect(readProblems(text)).toEqual([{ field: '/0', message }]);
  });

  it('reads an anchor that is used again inside its value', () => {
    expect(readProblems('define: &a [&a x, *a]\nline: {stroke-color: red}')).toEqual([]);
  });

  it.each(['- ? ', '? - ', ': - ', '- &a ', '? ? '])('limits the depth of %j', (indicators) => {
    expect(readProblems(indicators.repeat(20_000))).toBe('document-too-deep');
  });

  it('limits the depth that aliases create', () => {
    const deep = (name: string, inner: string) => `${name}: &${name} ${'['.repeat(40)}${inner}${']'.repeat(40)}`;

    expect(readProblems(`${deep('a', 'x')}\n${deep('b', '*a')}\nline: {}`)).toBe('document-too-deep');
  });

  it('reads many unknown keys', () => {
    const keys = Array.from({ length: 30_000 }, (_, index) => `key${index}: 1\n`).join('');

    expect(readProblems(`${keys}line: {stroke-color: red}\n`)).toHaveLength(11);
  });

  it('reports repeated keys', () => {
    expect(readProblems('line: {}\nline: {}\n')).toEqual([
      { field: '/0', message: 'line 2, column 1: map keys must be unique' },
    ]);
  });
});

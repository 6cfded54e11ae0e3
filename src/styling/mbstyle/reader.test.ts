/** MapLibre and Mapbox styles as models, with positions of errors and warnings. */
import { describe, expect, it } from 'vitest';
import { evaluateExpression } from '../../filter/evaluate/evaluate.ts';
import { Problem } from '../../lib/problems/problem.ts';
import { readContent } from '../content/read-content.ts';
import { mbStyle } from '../content/style-format.ts';
import type { Rule, UserStyle } from '../model/model.ts';
import { parseCssColor } from './colors.ts';
import { toMaxScaleDenominator, toZoom } from './common/zoom.ts';
import { readMbStyle } from './reader.ts';

const createStyle = (layer: object, more: object = {}): string =>
  JSON.stringify({ version: 8, ...more, layers: [{ id: 'one', ...layer }] });

function readRules(text: string): readonly Rule[] {
  const { layers } = readMbStyle(text).model;
  const styles = layers.flatMap((layer) => layer.styles) as readonly UserStyle[];
  return styles.flatMap(({ featureTypeStyles }) => featureTypeStyles.flatMap(({ rules }) => rules));
}

function readProblems(text: string, strict = false): unknown {
  try {
    return readMbStyle(text, { strict }).warnings;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.details.complaints ?? error.message;
  }
}

describe('MapLibre styles', () => {
  it('become rules with symbolizers', () => {
    const text = createStyle({ type: 'fill', paint: { 'fill-color': 'rgba(255, 0, 0, 0.5)', 'fill-opacity': 0.5 } });

    expect(readRules(text)).toEqual([
      {
        kind: 'rule',
        name: 'one',
        title: 'one',
        symbolizers: [
          {
            kind: 'polygonSymbolizer',
            fill: {
              kind: 'fill',
              color: { kind: 'literal', value: '#FF0000' },
              opacity: { kind: 'literal', value: '0.25' },
            },
          },
        ],
      },
    ]);
  });

  it('draw features in the order of sort keys', () => {
    const readOrders = (keys: readonly unknown[]) => {
      const layers = keys.map((key, index) => ({ id: `${index}`, type: 'line', layout: { 'line-sort-key': key } }));
      const { model, warnings } = readMbStyle(JSON.stringify({ version: 8, layers }));
      const styles = model.layers.flatMap((layer) => layer.styles) as readonly UserStyle[];
      const options = styles.flatMap(({ featureTypeStyles }) => featureTypeStyles.map((each) => each.vendorOptions));
      return { options: options.map((some) => some?.map(({ value }) => 'value' in value && value.value)), warnings };
    };

    expect(readOrders([['get', 'z'], 3, ['*', 2, ['get', 'z']]])).toEqual({
      options: [['z A'], undefined, ['z A']],
      warnings: [],
    });
    for (const [key, order] of [
      [['-', ['get', 'z']], 'z D'],
      [['-', 5, ['get', 'z']], 'z D'],
      [['*', -2, ['get', 'z']], 'z D'],
      [['*', ['get', 'z'], -2], 'z D'],
      [['/', ['get', 'z'], -2], 'z D'],
      [['*', -1, ['-', ['get', 'z']]], 'z A'],
      [['+', ['get', 'z'], 2], 'z A'],
    ])
      expect(readOrders([key]).options, JSON.stringify(key)).toEqual([[order]]);
    expect(readOrders([['*', 0, ['get', 'z']]]).options).toEqual([undefined]);
    expect(
      readOrders([
        ['get', 'z'],
        ['-', ['get', 'z']],
        ['length', ['get', 'name']],
      ]),
    ).toEqual({
      options: [['z A'], ['z D'], undefined],
      warnings: [
        expect.stringMatching(
          /layers\/2\/layout\/line-sort-key, .*: line-sort-key has an effect only if it is an attribute/,
        ),
        expect.stringMatching(/layers\/1\/layout\/line-sort-key, .*: the sort key of an earlier layer applies/),
      ],
    });
  });

  it.each([
    [{}, ['#,##0.###', '', ',', '.'], []],
    [{ locale: 'de', 'max-fraction-digits': 1 }, ['#,##0.#', '', '.', ','], []],
    [{ currency: 'USD' }, ['$#,##0.00', '', ',', '.'], []],
    [{ locale: 'no such locale' }, ['#,##0.###', '', ',', '.'], [expect.stringContaining('formatted as in English')]],
    [{ unit: 'meter' }, ['#,##0.###', '', ',', '.'], [expect.stringContaining('unit has no effect')]],
  ])('format numbers with the options %j', (options, literals, expected) => {
    const text = createStyle({ type: 'symbol', layout: { 'text-field': ['number-format', ['get', 'n'], options] } });

    const [rule] = readRules(text);

    expect(rule?.symbolizers[0]).toMatchObject({
      label: { name: 'FormatNumber', arguments: [{ name: 'n' }, ...literals.map((value) => ({ value }))] },
    });
    expect(readProblems(text)).toEqual(expected);
  });

  it.each([
    [{ tint: '#00ff00' }, '#00ff00'],
    [{ tint: 'Teal' }, 'Teal'],
    [{ tint: 'none', spare: 'rgb(1, 2, 3)' }, 'rgb(1, 2, 3)'],
    [{ tint: null, spare: 'none' }, '#FF0000'],
  ])('use the first colour of %j', (values, expected) => {
    const paint = { 'fill-color': ['to-color', ['get', 'tint'], 'no colour', ['get', 'spare'], 'red', 'blue'] };
    const text = createStyle({ type: 'fill', paint });

    const [symbolizer] = readRules(text)[0]?.symbolizers ?? [];
    const color = symbolizer?.kind === 'polygonSymbolizer' ? symbolizer.fill?.color : undefined;

    expect(color && evaluateExpression(color, values)).toBe(expected);
    expect(readProblems(text)).toEqual([expect.stringContaining('the text is not a colour')]);
  });

  it('convert zoom levels to scales, with the lower one included', () => {
    const [rule] = readRules(createStyle({ type: 'line', minzoom: 5, maxzoom: 6 }));

    expect(rule?.maxScaleDenominator).toBeCloseTo(8_735_669.1, 0);
    expect(rule?.minScaleDenominator).toBeCloseTo(4_367_834.6, 0);
    expect(toZoom(toMaxScaleDenominator(5))).toBe(5);
  });

  it('become a layer for each source layer if there are several', () => {
    const line = (id: string, layer?: string) => ({
      id,
      type: 'line',
      ...(layer === undefined ? {} : { 'source-layer': layer }),
    });
    const read = (...layers: readonly object[]) =>
      readMbStyle(JSON.stringify({ version: 8, name: 'City', layers })).model.layers.map(({ name, styles }) => [
        name,
        styles.flatMap((style) =>
          'featureTypeStyles' in style ? style.featureTypeStyles.map((each) => each.name) : [],
        ),
      ]);

    expect(read(line('a', 'roads'), line('b'), line('c', 'rails'))).toEqual([
      ['roads', ['a', 'b']],
      ['rails', ['b', 'c']],
    ]);
    expect(read(line('a'))).toEqual([['City', ['a']]]);
  });

  it('are recognised without a media type', () => {
    expect(readContent(Buffer.from(createStyle({ type: 'line' }))).format).toEqual(mbStyle);
  });

  it('report every error with its pointer, line and column', () => {
    const text = `{
  "version": 7,
  "layers": [
    {"id": "a", "type": "fill", "paint": {"fill-color": "reddish"}},
    {"id": "b", "type": "lines"},
    {"type": "line", "minzoom": "x", "filter": ["==", "a"], "paint": {"line-width": ["plus", 1]}}
  ]
}`;

    expect(readProblems(text, true)).toEqual([
      { field: '/version', message: 'line 2, column 14: expected the number 8' },
      { field: '/layers/0/paint/fill-color', message: "line 4, column 57: 'reddish' is not a colour" },
      {
        field: '/layers/1/type',
        message:
          'line 5, column 25: expected a type such as fill, line, circle, symbol, raster, fill-extrusion, heatmap, background',
      },
      { field: '/layers/2', message: "line 6, column 5: expected a text in 'id'" },
      { field: '/layers/2/paint/line-width', message: "line 6, column 85: unknown operator 'plus'" },
      { field: '/layers/2/filter', message: 'line 6, column 48: a comparison needs two inputs' },
      { field: '/layers/2/minzoom', message: 'line 6, column 33: expected a number from 0 to 24' },
    ]);
  });

  it('are read with warnings about wrong values, unless handling is strict', () => {
    const text = JSON.stringify({
      version: 8,
      layers: [
        { id: 7, type: 'fill', maxzoom: 30, paint: { 'fill-color': 'reddish', 'fill-opacity': 'half' } },
        { id: 'b', type: 'line', paint: { 'line-width': ['plus', 1], 'line-dasharray': ['get', 'dashes'] } },
      ],
    });

    expect(readRules(text).map(({ name }) => name)).toEqual(['7', 'b']);
    expect(readProblems(text)).toEqual([
      '/layers/0/id, line 1, column 30: expected a text; the number is read as text.',
      "/layers/0/paint/fill-opacity, line 1, column 106: 'half' is not a number; the default is used.",
      "/layers/0/paint/fill-color, line 1, column 81: 'reddish' is not a colour; the default is used.",
      '/layers/0/maxzoom, line 1, column 56: expected a number from 0 to 24; the nearest is used.',
      "/layers/1/paint/line-width, line 1, column 161: unknown operator 'plus'; the default is used.",
      '/layers/1/paint/line-dasharray, line 1, column 189: only lists of numbers are supported.',
    ]);
    expect(readProblems(text, true)).toHaveLength(5);
  });

  it('compare with null, which is the value of a state and of a missing attribute', () => {
    const getKind = ['get', 'kind'];
    const filter = ['all', ['!=', getKind, null], ['==', getKind, ['feature-state', 'kind']]];
    const paint = { 'fill-opacity': ['case', ['==', getKind, null], 0.1, ['feature-state', 'hover'], 0.5, 0.9] };
    const [rule] = readRules(createStyle({ type: 'fill', filter, paint }));
    const kind = { kind: 'property', name: 'kind' };
    const noValue = { kind: 'function', name: 'coalesce', arguments: [] };

    expect(rule?.filter).toEqual({
      kind: 'and',
      filters: [
        { kind: 'not', filter: { kind: 'isNull', value: kind } },
        { kind: 'comparison', operator: 'equal', left: kind, right: noValue },
      ],
    });
    expect(rule?.symbolizers[0]).toMatchObject({
      fill: {
        opacity: {
          name: 'if_then_else',
          arguments: [{ name: 'isNull' }, { value: '0.1' }, { name: 'if_then_else', arguments: [noValue, {}, {}] }],
        },
      },
    });
  });

  it('have no background if only its pattern is given', () => {
    const { model } = readMbStyle(createStyle({ type: 'background', paint: { 'background-pattern': 'waves' } }));

    expect(JSON.stringify(model)).not.toContain('background');
  });

  it('report a weight of a heatmap that cannot be computed', () => {
    const paint = { 'heatmap-weight': ['match', ['get', 'kind'], 'a;b', 2, 1] };
    const text = JSON.stringify({ version: 8, layers: [{ id: 'a', type: 'heatmap', paint }] });

    expect(readProblems(text)).toEqual([
      '/layers/0/paint/heatmap-weight, line 1, column 77: heatmap-weight has no effect if it depends on the zoom or contains a semicolon.',
    ]);
  });

  it('report parts that are not drawn as warnings', () => {
    const text = JSON.stringify({
      version: 8,
      layers: [
        { id: 'a', type: 'line', paint: { 'line-blur': 2, 'line-colour': 'red' } },
        { id: 'b', type: 'hillshade' },
        { id: 'c', type: 'circle', paint: { 'circle-radius': ['feature-state', 'size'] } },
      ],
    });

    expect(readProblems(text)).toEqual([
      '/layers/0/paint/line-blur, line 1, column 69: line-blur has no effect on maps.',
      "/layers/0/paint/line-colour, line 1, column 85: unknown property 'line-colour'; it is ignored.",
      '/layers/1/type, line 1, column 110: layers of the type hillshade are not drawn.',
      '/layers/2/paint/circle-radius, line 1, column 174: a state has no value on maps.',
    ]);
    expect(readProblems(text, true)).toEqual([
      { field: '/layers/0/paint/line-colour', message: "line 1, column 85: unknown property 'line-colour'" },
    ]);
  });

  it('reject JSON that is not a style, and deep expressions', () => {
    const deep = `${'["!", '.repeat(200)}true${']'.repeat(200)}`;

    expect(readProblems('[]')).toEqual([{ field: '', message: 'line 1, column 1: expected an object' }]);
    expect(readProblems('{"version": 8}')).toEqual([
      { field: '', message: "line 1, column 1: expected a list of layers in 'layers'" },
    ]);
    expect(readProblems('{"version": 8, "layers": [}')).toContain('line 1');
    expect(readProblems(`{"version": 8, "layers": [{"id": "a", "type": "line", "filter": ${deep}}]}`)).toContain(
      'deep',
    );
  });

  it('report operators without the inputs that they need', () => {
    const readWidth = (width: unknown) => readProblems(createStyle({ type: 'line', paint: { 'line-width': width } }));
    const field = '/layers/0/paint/line-width';

    expect(readWidth(['case'])).toEqual([
      { field, message: expect.stringContaining('pairs of a condition and an output, and a fallback') },
    ]);
    expect(readWidth(['match'])).toEqual([
      { field, message: expect.stringContaining('pairs of a label and an output, and a fallback') },
    ]);
    expect(readWidth(['interpolate', ['linear'], ['zoom']])).toEqual([
      { field, message: expect.stringContaining('expected pairs of a number and an output') },
    ]);
    expect(readProblems(createStyle({ type: 'line', filter: ['!'] }))).toEqual([
      { field: '/layers/0/filter', message: expect.stringContaining('a negation needs one input') },
    ]);
  });

  it('negate a membership in a list of an expression', () => {
    const [rule] = readRules(createStyle({ type: 'line', filter: ['!in', ['get', 'kind'], ['literal', ['path']]] }));

    expect(rule?.filter).toMatchObject({ kind: 'not' });
  });

  it('resolve a variable to the value of the nearest let, which can use the variables around it', () => {
    const inner = ['let', 'x', ['concat', ['var', 'x'], '!'], ['var', 'x']];
    const [rule] = readRules(
      createStyle({ type: 'symbol', layout: { 'text-field': ['let', 'x', ['get', 'name'], inner] } }),
    );

    expect(rule?.symbolizers[0]).toMatchObject({
      label: {
        kind: 'concatenation',
        parts: [
          { kind: 'property', name: 'name' },
          { kind: 'literal', value: '!' },
        ],
      },
    });
  });

  it('are rejected if their variables repeat more than 200,000 expressions', () => {
    const double = (depth: number): unknown =>
      depth === 0
        ? ['var', 'v0']
        : ['let', `v${depth - 1}`, ['concat', ['var', `v${depth}`], ['var', `v${depth}`]], double(depth - 1)];
    const text = createStyle({ type: 'symbol', layout: { 'text-field': ['let', 'v30', ['get', 'name'], double(30)] } });

    expect(readProblems(text)).toEqual([
      { field: expect.stringContaining('/layers/0/layout/text-field'), message: expect.stringContaining('200000') },
    ]);
  });

  it('parse colours of CSS', () => {
    expect(
      ['#f008', 'hsla(120, 100%, 25%, 0.5)', 'rgb(10%, 0%, 100%)', 'transparent', 'nope'].map(parseCssColor),
    ).toEqual([
      { color: '#FF0000', alpha: 0.5333 },
      { color: '#008000', alpha: 0.5 },
      { color: '#1A00FF', alpha: 1 },
      { color: '#000000', alpha: 0 },
      undefined,
    ]);
  });
});

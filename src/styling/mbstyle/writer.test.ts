/** Styles of other languages as MapLibre styles, with a list of losses. */
import { describe, expect, it } from 'vitest';
import { readCss } from '../css/reader.ts';
import { readYsld } from '../ysld/reader.ts';
import { readMbStyle } from './reader.ts';
import { writeMbStyle } from './writer.ts';

interface Document {
  readonly metadata?: { readonly losses: readonly string[] };
  readonly layers: readonly Readonly<Record<string, unknown>>[];
}

const convertCss = (text: string): Document => JSON.parse(writeMbStyle(readCss(text).model)) as Document;

describe('styles as MapLibre styles', () => {
  it('do not show passwords and keys in addresses of pictures', () => {
    const written = convertCss("* { mark: url('http://u:PASSW0RD@tiles.example/x.svg?token=T0KEN'); }");

    expect(JSON.stringify(written)).not.toMatch(/PASSW0RD|T0KEN/);
    expect(written.metadata?.losses).toContain("the picture 'http://tiles.example/x.svg', which must be in a sprite");
  });

  it('have a layer for each fill and each stroke, with filters and zooms', () => {
    const { layers, metadata } = convertCss(
      "[kind = 'lake'][@sd < 279541132] { fill: blue; fill-opacity: 0.5; stroke: navy; stroke-width: 2; stroke-dasharray: 4 2; }",
    );

    expect(metadata).toBeUndefined();
    expect(layers).toEqual([
      {
        id: '1',
        type: 'fill',
        minzoom: 0,
        filter: ['==', ['to-string', ['get', 'kind']], 'lake'],
        paint: { 'fill-color': '#0000FF', 'fill-opacity': 0.5 },
        source: expect.any(String),
      },
      {
        id: '2',
        type: 'line',
        minzoom: 0,
        filter: ['==', ['to-string', ['get', 'kind']], 'lake'],
        paint: { 'line-color': '#000080', 'line-width': 2, 'line-dasharray': [2, 1] },
        source: expect.any(String),
      },
    ]);
  });

  it('have labels above all other layers', () => {
    const { layers } = convertCss(
      '* { mark: symbol(circle); mark-size: 10; :mark { fill: red; } label: [name]; font-size: 12; halo-radius: 2; }',
    );

    expect(layers.map(({ type, paint, layout }) => [type, paint, layout])).toEqual([
      ['circle', { 'circle-radius': 5, 'circle-color': '#FF0000' }, undefined],
      [
        'symbol',
        { 'text-color': '#000000', 'text-halo-width': 2, 'text-halo-color': '#FFFFFF' },
        {
          'text-field': ['to-string', ['get', 'name']],
          'text-size': 12,
          'text-anchor': 'left',
          'text-max-width': 100,
        },
      ],
    ]);
  });

  it('list what they do not express', () => {
    const { metadata } = convertCss(
      "* { mark: symbol(star); mark-geometry: [centroid(geom)]; stroke: url('dots.png'); fill: [strTrim(color)]; }",
    );

    expect(metadata?.losses).toEqual([
      "the function 'strTrim'",
      'graphics along lines',
      'computed geometries',
      "the mark 'star', which becomes a circle",
    ]);
  });

  it('have the default sizes of the server', () => {
    const { layers } = convertCss(
      "* { mark: symbol(circle); :mark { fill: red; } label: [name]; } [a = 1] { font-family: 'Arial'; }",
    );

    expect(layers).toContainEqual(
      expect.objectContaining({ paint: expect.objectContaining({ 'circle-radius': 8 }) as unknown }),
    );
    const sizes = layers.flatMap(({ layout }) => (layout as { 'text-size'?: number } | undefined)?.['text-size'] ?? []);
    expect(sizes.toSorted((a, b) => a - b)).toEqual([10, 12]);
  });

  it('have the default paint of marks without fill and stroke', () => {
    const { model } = readYsld('point:\n  symbols:\n  - mark:\n      shape: circle\n');

    expect((JSON.parse(writeMbStyle(model)) as Document).layers).toMatchObject([
      { paint: { 'circle-color': '#808080', 'circle-stroke-width': 1 } },
    ]);
  });

  it('have an offset for an anchor above or below the text', () => {
    const { layers } = convertCss('* { label: [name]; label-anchor: 0.5 -1.5; label-offset: 6 0; }');

    expect(layers).toMatchObject([{ layout: { 'text-anchor': 'bottom', 'text-offset': [0.5, -1.5] } }]);
  });

  it('have the fonts, which are read back', () => {
    const css = "* { label: [name]; font-family: 'Arial', 'Open Sans'; font-weight: bold; font-style: italic; }";
    const document = writeMbStyle(readCss(css).model);

    const { layers, metadata } = JSON.parse(document) as Document;
    expect(metadata).toBeUndefined();
    expect(layers).toMatchObject([{ layout: { 'text-font': ['Arial Bold Italic', 'Open Sans Bold Italic'] } }]);
    expect(convertCss("* { label: [name]; font-family: 'Arial'; }").layers).toMatchObject([
      { layout: { 'text-font': ['Arial Regular'] } },
    ]);
    expect(JSON.stringify(readMbStyle(document).model)).toContain(
      '"families":[{"kind":"literal","value":"Arial"},{"kind":"literal","value":"Open Sans"}',
    );
  });

  it.each([
    ["name LIKE 'New*'", ['==', ['index-of', 'New', ['to-string', ['get', 'name']]], 0]],
    ["name LIKE '*New*'", ['>=', ['index-of', 'New', ['to-string', ['get', 'name']]], 0]],
    ["name LIKE 'New'", ['==', ['to-string', ['get', 'name']], 'New']],
    ["name ILIKE 'New*'", ['==', ['index-of', 'new', ['downcase', ['to-string', ['get', 'name']]]], 0]],
  ])('express %s', (condition, filter) => {
    expect(convertCss(`[${condition.replaceAll('*', '%')}] { fill: red; }`).layers).toMatchObject([{ filter }]);
  });

  it.each(["name LIKE 'N%w'", "name LIKE '%w'", "name LIKE 'N_w'", "strTrim(name) = 'a'"])(
    'omit rules with the filter %s',
    (condition) => {
      const { layers, metadata } = convertCss(`[${condition}] { fill: red; }`);

      expect(layers).toEqual([]);
      expect(metadata?.losses).toContain('a rule, which is omitted because its filter cannot be expressed');
    },
  );

  it('express interpolation, steps, matches and cases of MapLibre styles unchanged', () => {
    const paint = {
      'circle-radius': ['interpolate', ['exponential', 2], ['zoom'], 0, 1, 4, 16],
      'circle-color': ['match', ['to-string', ['get', 'kind']], 'a', '#FF0000', '#0000FF'],
      'circle-opacity': ['step', ['to-number', ['get', 'n']], 0.5, 10, 1],
    };
    const text = JSON.stringify({ version: 8, layers: [{ id: 'x', type: 'circle', paint }] });

    const { layers } = JSON.parse(writeMbStyle(readMbStyle(text).model)) as Document;

    expect(layers).toMatchObject([{ paint }]);
  });
});

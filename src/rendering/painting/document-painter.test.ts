import { inflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createDrawnLayer, createUserStyle, never, smallMap, wideBudget } from '../../../test/support/drawn-layers.ts';
import { drawDocument } from '../draw-document.ts';
import type { MapLayer } from '../request/map-request.ts';
import { type DocumentKind, DocumentPainter } from './document-painter.ts';
import { MapPainter } from './map-painter.ts';

const fill =
  '<PolygonSymbolizer><Fill><CssParameter name="fill">#ff0000</CssParameter></Fill><Stroke><CssParameter name="stroke">#0000ff</CssParameter></Stroke></PolygonSymbolizer>';
const label =
  '<TextSymbolizer><Label><ogc:PropertyName>name</ogc:PropertyName></Label><Font><CssParameter name="font-size">4</CssParameter></Font><VendorOption name="partials">true</VendorOption></TextSymbolizer>';
const squares = [{ wkt: 'POLYGON ((2 2, 18 2, 18 18, 2 18, 2 2))', name: '<b>&' }];

async function drawn(
  kind: DocumentKind,
  layer: MapLayer,
  { isTransparent = false, maxOrdinates = 1_000 } = {},
): Promise<Buffer> {
  const content = await drawDocument({ ...smallMap, isTransparent, layers: [layer] }, wideBudget, never, {
    document: (settings) => DocumentPainter.open(kind, settings, maxOrdinates),
    pixels: async (settings) => new MapPainter(settings),
  });
  return Buffer.from(content);
}

/** Returns the operators of all pages of a PDF. */
function operatorsOf(pdf: Buffer): string {
  const text = pdf.toString('latin1');
  return [...text.matchAll(/stream\n([\s\S]*?)\nendstream/g)]
    .map(([, content = '']) => {
      try {
        return inflateSync(Buffer.from(content, 'latin1')).toString('latin1');
      } catch {
        return '';
      }
    })
    .join('\n');
}

describe('map as SVG', () => {
  test('contains shapes as paths and labels as escaped text', async () => {
    const svg = (
      await drawn('svg', createDrawnLayer(squares, createUserStyle(`<Rule>${fill}${label}</Rule>`)))
    ).toString();

    expect(svg).toMatch(/^<\?xml[^>]*\?>\s*<svg viewBox="0 0 20 20" /);
    expect(svg).toMatch(/<path fill="red" d="M2 18L18 18L18 2L2 2/);
    expect(svg).toMatch(/<path [^>]*stroke="blue"/);
    expect(svg).toMatch(/<text [^>]*>&lt;b&gt;&amp;<\/text>/);
    expect(svg).toContain('<rect fill="white" width="20" height="20"/>');
    expect(svg).not.toContain('<image');
  });

  test('writes the positions of letters as lists without a comma at the end', async () => {
    const style = createUserStyle(`<Rule>${label}</Rule>`);

    const svg = (await drawn('svg', createDrawnLayer(squares, style))).toString();

    expect(svg).toMatch(/<text [^>]*x="[-\d., e]*\d"/);
    expect(svg).not.toMatch(/, "/);
  });

  test('has no background if it is transparent', async () => {
    const svg = (
      await drawn('svg', createDrawnLayer(squares, createUserStyle(`<Rule>${fill}</Rule>`)), { isTransparent: true })
    ).toString();

    expect(svg).not.toContain('<rect');
  });

  test('paints a later feature type style over an earlier one, in any order of features', async () => {
    const line = (colour: string, width: number) =>
      `<Rule><LineSymbolizer><Stroke><CssParameter name="stroke">${colour}</CssParameter><CssParameter name="stroke-width">${width}</CssParameter></Stroke></LineSymbolizer></Rule>`;
    const roads = [{ wkt: 'LINESTRING (0 4, 20 4)' }, { wkt: 'LINESTRING (10 0, 10 20)' }];

    const svg = (
      await drawn('svg', createDrawnLayer(roads, createUserStyle(line('#ff0000', 6), line('#0000ff', 2))))
    ).toString();

    const strokes = [...svg.matchAll(/<path [^>]*stroke="(\w+)"/g)].map(([, colour]) => colour);
    expect(strokes).toEqual(['red', 'red', 'blue', 'blue']);
  });

  test('embeds a picture if layers are blended', async () => {
    const style = createUserStyle(`<Rule>${fill}</Rule><VendorOption name="composite">multiply</VendorOption>`);

    const svg = (await drawn('svg', createDrawnLayer(squares, style))).toString();

    expect(svg).toContain('xlink:href="data:image/png;base64,');
    expect(svg).not.toContain('<path');
  });

  test('embeds a picture if the number of vertices exceeds the limit', async () => {
    const layer = createDrawnLayer(squares, createUserStyle(`<Rule>${fill}</Rule>`));

    const svg = (await drawn('svg', layer, { maxOrdinates: 9 })).toString();

    expect(svg).toContain('xlink:href="data:image/png;base64,');
  });
});

describe('map as PDF', () => {
  test('contains shapes as paths and labels as text in an embedded font', async () => {
    const pdf = await drawn('pdf', createDrawnLayer(squares, createUserStyle(`<Rule>${fill}${label}</Rule>`)));

    expect(pdf.toString('latin1')).toMatch(/^%PDF-1\.4[\s\S]*\/MediaBox \[0 0 20 20\][\s\S]*DejaVu/);
    expect(operatorsOf(pdf)).toMatch(/2 2 16 16 re\nf\*[\s\S]*2 2 16 16 re\nS\n[\s\S]*\nBT\n[\s\S]*\nET\n/);
    expect(pdf.toString('latin1')).not.toContain('/Subtype /Image');
  });

  test('embeds only the used letters of a font, with the text that they stand for', async () => {
    const pdf = await drawn('pdf', createDrawnLayer(squares, createUserStyle(`<Rule>${label}</Rule>`)));

    expect(pdf.toString('latin1')).toMatch(/\/BaseFont \/[A-Z]{6}\+DejaVu/);
    expect(pdf.toString('latin1')).toContain('/FontFile2 ');
    expect(pdf.length).toBeLessThan(30_000);
    expect(operatorsOf(pdf)).toMatch(/beginbfchar\n<[0-9A-F]{4}> <0026>\n/);
  });

  test('writes halos with few positions and short numbers', async () => {
    const halo = label.replace('</Font>', '</Font><Halo><Radius>1</Radius></Halo>').replace('>4<', '>8<');
    const rows = [{ ...squares[0], wkt: squares[0]?.wkt ?? '', name: 'SO' }];

    const pdf = await drawn('pdf', createDrawnLayer(rows, createUserStyle(`<Rule>${halo}</Rule>`)));

    const operators = operatorsOf(pdf);
    const outline = operators.slice(0, operators.indexOf('\nS\n'));
    const lines = [...outline.matchAll(/^(\S+) (\S+) l$/gm)];
    expect(outline).not.toMatch(/ c$/m);
    expect(lines.length).toBeGreaterThan(30);
    expect(lines.length).toBeLessThan(90);
    const sixteenths = lines.flatMap(([, x, y]) => [Number(x) * 16, Number(y) * 16]);
    for (const each of sixteenths) expect(each).toBeCloseTo(Math.round(each), 4);
  });

  test('omits positions of curves that are invisible', async () => {
    const circle = Array.from({ length: 721 }, (_, index) => {
      const angle = ((index % 720) * Math.PI) / 360;
      return `${10 + 9 * Math.cos(angle)} ${10 + 9 * Math.sin(angle)}`;
    });
    const rows = [{ wkt: `POLYGON ((${circle.join(', ')}))` }];

    const pdf = await drawn('pdf', createDrawnLayer(rows, createUserStyle(`<Rule>${fill}</Rule>`)), {
      maxOrdinates: 10_000,
    });

    const lines = operatorsOf(pdf).match(/ l\n/g) ?? [];
    expect(lines.length).toBeGreaterThan(30);
    expect(lines.length).toBeLessThan(150);
  });
});

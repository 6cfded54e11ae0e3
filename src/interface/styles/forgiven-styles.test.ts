import { describe, expect, it } from 'vitest';
import {
  CSS_TYPE,
  createStylePackage,
  lineSld,
  SE_TYPE,
  SLD_TYPE,
  send,
  ZIP_TYPE,
} from '../../../test/support/styles.ts';
import { useTestServer } from '../../../test/support/test-server.ts';

const strict = { headers: { prefer: 'handling=strict' } };

/** A style directly below the descriptor, with a title element in lower case. */
const withoutLayer = `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld">
<UserStyle>
<title>Rivers</title>
<FeatureTypeStyle><Rule><LineSymbolizer><Stroke/></LineSymbolizer></Rule></FeatureTypeStyle>
</UserStyle>
</StyledLayerDescriptor>`;

const warnings = [
  "Line 2, column 1: 'UserStyle' must be inside a NamedLayer or UserLayer: it is read as the style of an unnamed layer.",
  "Line 3, column 1: 'title' is read as 'Title'.",
];

function warningsOf(headers: Readonly<Record<string, unknown>>): readonly string[] {
  return [...String(headers['warning'] ?? '').matchAll(/199 - "([^"]*)"/g)].map(([, sentence = '']) => sentence);
}

describe('an invalid but unambiguous style', () => {
  const server = useTestServer();

  it('is accepted with a warning for each location, and stored as sent', async () => {
    const created = await send(server, 'POST', '/styles?name=rivers', SLD_TYPE, withoutLayer);

    expect([created.status, created.text]).toEqual([201, 'rivers']);
    expect(warningsOf(created.headers)).toEqual(warnings);
    expect((await server.get('/styles/rivers.sld')).text).toBe(withoutLayer);
  });

  it.each([
    [
      'a FeatureTypeStyle in a Rule',
      '<FeatureTypeStyle><Rule><LineSymbolizer><Stroke/></LineSymbolizer></Rule></FeatureTypeStyle>',
      "Line 2, column 31: 'FeatureTypeStyle' has no effect in Rule, and its rules are not drawn.",
    ],
    [
      'a misspelt condition',
      '<Filter><PropertyIsEqualsTo><PropertyName>a</PropertyName><Literal>1</Literal></PropertyIsEqualsTo></Filter>',
      "Line 2, column 39: 'PropertyIsEqualsTo' is not a condition and has no effect (did you mean 'PropertyIsEqualTo'?).",
    ],
    [
      'a misspelt filter',
      '<Fliter><PropertyIsNull><PropertyName>a</PropertyName></PropertyIsNull></Fliter>',
      "Line 2, column 31: 'Fliter' is unknown, so the rule applies to all features (did you mean 'Filter'?).",
    ],
  ])('is accepted with a warning for %s', async (_what, content, warning) => {
    const style = lineSld('skipped')
      .replace(/\n/g, '')
      .replace('<Rule>', `\n${' '.repeat(24)}<Rule>${content}`);
    const created = await send(server, 'PUT', '/styles/line', SLD_TYPE, style);
    const refused = await send(server, 'PUT', '/styles/line', SLD_TYPE, style, strict);

    expect([created.status, warningsOf(created.headers)]).toEqual([200, [warning]]);
    expect(refused.status).toBe(400);
  });

  it('can replace another style', async () => {
    await send(server, 'POST', '/styles?name=changed', SLD_TYPE, lineSld('before'));

    const changed = await send(server, 'PUT', '/styles/changed', SLD_TYPE, withoutLayer);

    expect(changed.status).toBe(200);
    expect(warningsOf(changed.headers)).toEqual(warnings);
  });

  it('can be in a package', async () => {
    const body = createStylePackage({ 'packed.sld': withoutLayer });

    const created = await send(server, 'POST', '/styles', ZIP_TYPE, body);

    expect([created.status, created.text]).toEqual([201, 'packed']);
    expect(warningsOf(created.headers)).toEqual(warnings);
  });

  it('is converted and drawn as interpreted', async () => {
    await send(server, 'POST', '/styles?name=understood', SLD_TYPE, withoutLayer);

    const newer = await server.get('/styles/understood', { accept: SE_TYPE });
    const again = await send(server, 'POST', '/styles?name=newer', SE_TYPE, newer.text, strict);

    expect(newer.status).toBe(200);
    expect(newer.text).toContain('<se:Title>Rivers</se:Title>');
    expect([again.status, again.headers['warning']]).toEqual([201, undefined]);
    expect((await server.get('/styles/understood.png')).status).toBe(200);
  });

  it('is rejected with each location under strict handling', async () => {
    const bodies: readonly (readonly [string, string | Buffer])[] = [
      [SLD_TYPE, withoutLayer],
      [ZIP_TYPE, createStylePackage({ 'strict.sld': withoutLayer })],
    ];
    for (const [type, body] of bodies) {
      const refused = await send(server, 'POST', '/styles?name=strict', type, body, {
        headers: { ...strict.headers, accept: 'application/json' },
      });

      expect(refused.status).toBe(400);
      expect(refused.text).toContain("Line 2, column 1: 'UserStyle' must be inside a NamedLayer or UserLayer");
      expect(refused.text).toContain("line 3, column 1: 'title' is not expected in UserStyle; use 'Title'");
    }
    expect((await server.get('/styles/strict')).status).toBe(404);
  });

  it('is rejected under strict handling as a replacement', async () => {
    await send(server, 'POST', '/styles?name=kept', SLD_TYPE, lineSld('kept'), strict);

    const refused = await send(server, 'PUT', '/styles/kept', SLD_TYPE, withoutLayer, strict);

    expect(refused.status).toBe(400);
    expect((await server.get('/styles/kept.sld')).text).toBe(lineSld('kept'));
  });

  it('produces warnings for the first ten locations and a count of the others', async () => {
    const titles = '<title>a</title>'.repeat(30);

    const created = await send(
      server,
      'POST',
      '/styles?name=many',
      SLD_TYPE,
      withoutLayer.replace('<title>Rivers</title>', titles),
    );

    const sentences = warningsOf(created.headers);
    expect(sentences).toHaveLength(11);
    // The style element, the case of thirty titles, and all but one of them as duplicates.
    expect(sentences.at(-1)).toBe('And 50 more deviations from the SLD schema.');
  });

  it('is not parsed when it is stored raw', async () => {
    const created = await send(server, 'POST', '/styles?name=raw&raw=true', SLD_TYPE, withoutLayer, strict);

    expect([created.status, created.headers['warning']]).toEqual([201, undefined]);
  });

  it('is parsed in a worker thread when it is large', async () => {
    const rule = '<Rule><LineSymbolizer><Stroke/></LineSymbolizer></Rule>';
    const large = withoutLayer.replace(rule, rule.repeat(1_000));

    const created = await send(server, 'POST', '/styles?name=large', SLD_TYPE, large);
    const refused = await send(server, 'PUT', '/styles/large', SLD_TYPE, large, strict);

    expect(warningsOf(created.headers)).toEqual(warnings);
    expect(refused.status).toBe(400);
  });

  it('may be CSS with an empty list item', async () => {
    const css = "* { fill: #DDDDFF, symbol('shape://slash'); fill-size: , 8; }";

    const created = await send(server, 'POST', '/styles?name=sheet', CSS_TYPE, css);
    const refused = await send(server, 'PUT', '/styles/sheet', CSS_TYPE, css, strict);

    expect(created.status).toBe(201);
    expect(warningsOf(created.headers)).toEqual([
      "Line 1, column 56: an item of 'fill-size' is empty: the default is used.",
    ]);
    expect(refused.status).toBe(400);
    expect(refused.text).toContain("an item of 'fill-size' is empty, but a value was expected");
  });

  it.each([
    ['an unknown comparison', lineSld('x').replace('<LineSymbolizer', '<Filter><PropertyHasValue/></Filter>$&')],
    ['an invalid colour', lineSld('x').replace('<LineSymbolizer', `${lineOf('strawberry')}$&`)],
  ])('may have %s, with a warning that names its position', async (_, sld) => {
    const refused = await send(server, 'POST', '/styles?name=nonsense', SLD_TYPE, sld, strict);
    const accepted = await send(server, 'POST', '/styles?name=nonsense', SLD_TYPE, sld);
    await server.request('DELETE', '/styles/nonsense?purge=true');

    expect(refused.status).toBe(400);
    expect(accepted.status).toBe(201);
    expect(accepted.headers['warning']).toMatch(/Line \d+, column \d+: /);
  });
});

function lineOf(color: string): string {
  return `<LineSymbolizer><Stroke><CssParameter name="stroke">${color}</CssParameter></Stroke></LineSymbolizer>`;
}

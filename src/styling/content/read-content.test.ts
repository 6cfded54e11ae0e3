import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../lib/problems/problem.ts';
import { type ExpectedContent, readContent, type StyleContent } from './read-content.ts';
import { css, sld10, sld11 } from './style-format.ts';

const older = `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld"><NamedLayer><Name>gr\u00fcn</Name></NamedLayer></StyledLayerDescriptor>`;
const newer = `<StyledLayerDescriptor version="1.1.0" xmlns="http://www.opengis.net/sld" xmlns:se="http://www.opengis.net/se"><NamedLayer><se:Name>gr\u00fcn</se:Name></NamedLayer></StyledLayerDescriptor>`;
const sheet = '* { fill: #008000 }';

function utf8(text: string): Uint8Array {
  return Buffer.from(text);
}

function layerName({ model }: StyleContent): string | undefined {
  const [layer] = model.layers;
  return layer?.kind === 'namedLayer' ? layer.name : undefined;
}

function refusalOf(bytes: Uint8Array, expected?: ExpectedContent): Problem {
  try {
    readContent(bytes, expected);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('The content was accepted.');
}

describe('YSLD with braces', () => {
  it('is named in the message if SLD was expected', () => {
    expect(refusalOf(utf8('line: {stroke-color: red}\n'), { language: 'sld' }).message).toMatch(
      /^The body looks like YSLD, but SLD was expected/,
    );
  });
});

describe('content that matches its declared format', () => {
  it.each([
    ['SLD 1.0.0', older, sld10],
    ['SLD 1.1.0', newer, sld11],
    ['CSS', sheet, css],
  ])('is read: %s', (_, text, format) => {
    expect(readContent(utf8(text), format).format).toEqual(format);
    expect(readContent(utf8(text)).format).toEqual(format);
  });

  it('is read without a declared SLD version', () => {
    expect(readContent(utf8(newer), { language: 'sld' }).format).toEqual(sld11);
    expect(readContent(utf8(older), { language: 'sld' }).format).toEqual(sld10);
  });

  it('may start with an XML declaration, processing instructions, comments and white space', () => {
    const prolog = `<?xml version="1.0"?>\n<?note a > b?>\n<!-- <style> -->\n\n`;

    expect(readContent(utf8(prolog + newer), sld11).format).toEqual(sld11);
  });

  it('has the version of its namespaces if it declares none', () => {
    const removeVersion = (text: string) => text.replace(/ version="[\d.]+"/, '');

    expect(readContent(utf8(removeVersion(older)), sld10).format).toEqual(sld10);
    expect(readContent(utf8(removeVersion(newer)), sld11).format).toEqual(sld11);
  });

  it('includes the whole corpus of valid SLD', () => {
    const folder = new URL('../../../test/styles/sld/accepted/', import.meta.url);
    for (const name of readdirSync(folder).filter((each) => each.endsWith('.sld'))) {
      const bytes = readFileSync(new URL(name, folder));
      const { format } = readContent(bytes);

      expect(readContent(bytes, format).format).toEqual(format);
      const other = format.version === '1.0.0' ? sld11 : sld10;
      expect(refusalOf(bytes, other).code).toBe('style-content-mismatch');
    }
  });
});

describe('encoding', () => {
  const declared = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>\n${older}`;

  it.each([
    ['UTF-8', Buffer.from(declared('UTF-8'))],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${declared('UTF-8')}`)],
    ['UTF-16 with a byte order mark', Buffer.from(`\ufeff${declared('UTF-16')}`, 'utf16le')],
    ['UTF-16 with a big-endian byte order mark', Buffer.from(`\ufeff${declared('UTF-16')}`, 'utf16le').swap16()],
    ['UTF-16 without a byte order mark', Buffer.from(declared('UTF-16'), 'utf16le')],
    ['UTF-8 declared as UTF-16', Buffer.from(declared('UTF-16'))],
    ['declared ISO-8859-1', Buffer.from(declared('ISO-8859-1'), 'latin1')],
    ['declared windows-1252', Buffer.from(declared('windows-1252'), 'latin1')],
  ])('is detected from the bytes: %s', (_, bytes) => {
    const content = readContent(bytes, sld10);

    expect(layerName(content)).toBe('grün');
    expect(content.charset).toBeUndefined();
  });

  it('is returned from the Content-Type if the bytes do not declare it', () => {
    const bytes = Buffer.from(older, 'latin1');

    const content = readContent(bytes, { ...sld10, charset: 'iso-8859-1' });

    expect(layerName(content)).toBe('grün');
    expect(content.charset).toBe('iso-8859-1');
    expect(readContent(bytes, { ...content.format, charset: content.charset }).model).toEqual(content.model);
  });

  it.each([
    ['a byte order mark', Buffer.from("\ufeff[name = 'grün'] { fill: red }", 'utf16le'), undefined, undefined],
    ['the Content-Type', Buffer.from("[name = 'grün'] { fill: red }", 'latin1'), 'iso-8859-1', 'iso-8859-1'],
    ['the default, UTF-8', Buffer.from("[name = 'grün'] { fill: red }"), undefined, undefined],
  ])('of CSS is determined by %s', (_, bytes, charset, needed) => {
    const content = readContent(bytes, { ...css, charset });

    expect(JSON.stringify(content.model)).toContain('grün');
    expect(content.charset).toBe(needed);
  });

  it('in the Content-Type overrides the XML declaration', () => {
    const bytes = Buffer.from(declared('ISO-8859-1'));

    const content = readContent(bytes, { ...sld10, charset: 'utf-8' });

    expect(layerName(content)).toBe('grün');
    expect(content.charset).toBe('utf-8');
  });

  it('is not returned if the bytes declare it', () => {
    expect(readContent(utf8(older), { ...sld10, charset: 'utf-8' }).charset).toBeUndefined();
    expect(readContent(utf8(sheet), { ...css, charset: 'us-ascii' }).charset).toBeUndefined();
  });

  it.each([
    ['Latin-1 bytes declared as UTF-8', Buffer.from(older, 'latin1'), 'utf-8'],
    ['an unknown charset', Buffer.from(older), 'klingon'],
  ])('is rejected for %s', (_, bytes, charset) => {
    expect(refusalOf(bytes, { ...sld10, charset })).toMatchObject({ code: 'text-undecodable', status: 400 });
  });

  it('is Windows-1252 with a warning for bytes that are not of the encoding in the document', () => {
    const bytes = Buffer.from(older, 'latin1');

    expect(readContent(bytes, sld10)).toMatchObject({
      model: { layers: [{ name: 'grün' }] },
      warnings: [expect.stringMatching(/^Line 1, column \d+: the bytes do not match .* read as windows-1252\.$/)],
    });
    expect(refusalOf(bytes, { ...sld10, strict: true }).code).toBe('text-undecodable');
  });
});

describe('content of another format', () => {
  const png = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');

  it.each<[string, Uint8Array | string, ExpectedContent | undefined, string]>([
    [
      'SLD 1.1.0 sent as SLD 1.0.0',
      newer,
      sld10,
      'The body looks like SLD 1.1.0, but SLD 1.0.0 (application/vnd.ogc.sld+xml) was expected. Send it with the Content-Type application/vnd.ogc.se+xml.',
    ],
    [
      'SLD 1.0.0 sent as SLD 1.1.0',
      older,
      sld11,
      'The body looks like SLD 1.0.0, but SLD 1.1.0 (application/vnd.ogc.se+xml) was expected. Send it with the Content-Type application/vnd.ogc.sld+xml.',
    ],
    [
      'SLD without a version sent as SLD 1.1.0',
      older.replace(' version="1.0.0"', ''),
      sld11,
      'The body looks like SLD 1.0.0 (it declares neither a version nor Symbology Encoding), but SLD 1.1.0 (application/vnd.ogc.se+xml) was expected. Send it with the Content-Type application/vnd.ogc.sld+xml.',
    ],
    [
      'SLD sent as CSS',
      older,
      css,
      'The body looks like SLD 1.0.0, but CSS was expected. Send it with the Content-Type application/vnd.ogc.sld+xml.',
    ],
    [
      'CSS sent as SLD',
      sheet,
      sld10,
      'The body looks like CSS, but SLD 1.0.0 (application/vnd.ogc.sld+xml) was expected. Send it with the Content-Type application/vnd.geoserver.geocss+css.',
    ],
    [
      'CSS that starts with a filter, sent as SLD',
      '[a = 1] { fill: red }',
      sld11,
      'The body looks like CSS, but SLD 1.1.0 (application/vnd.ogc.se+xml) was expected. Send it with the Content-Type application/vnd.geoserver.geocss+css.',
    ],
    [
      'a ZIP archive',
      'PK\x03\x04rest',
      sld10,
      'The body looks like a ZIP archive, but SLD 1.0.0 (application/vnd.ogc.sld+xml) was expected. Send it with the Content-Type application/zip.',
    ],
    [
      'an image',
      png,
      css,
      'The body looks like a PNG image, but CSS was expected. Send images in a ZIP package, together with the SLD that uses them.',
    ],
    [
      'an SVG image',
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      sld10,
      'The body looks like an SVG image, but SLD 1.0.0 (application/vnd.ogc.sld+xml) was expected. Send images in a ZIP package, together with the SLD that uses them.',
    ],
    [
      'the entry of a style',
      '<style><name>a</name></style>',
      sld10,
      "The body looks like the entry of a style (a 'style' document), but SLD 1.0.0 (application/vnd.ogc.sld+xml) was expected. Send it with the Content-Type application/xml to change the entry of a style.",
    ],
    [
      'the entry of a style in JSON',
      '{"style": {"name": "a"}}',
      undefined,
      "The body looks like the entry of a style (a 'style' document), but SLD, CSS, YSLD or MapLibre style JSON was expected. Send it with the Content-Type application/json to change the entry of a style.",
    ],
  ])('is rejected with advice: %s', (_, body, expected, message) => {
    const problem = refusalOf(typeof body === 'string' ? utf8(body) : body, expected);

    expect(problem.message).toBe(message);
    expect(problem).toMatchObject({ code: 'style-content-mismatch', status: 400 });
  });

  const general =
    'Send SLD 1.0.0 as application/vnd.ogc.sld+xml, SLD 1.1.0 as application/vnd.ogc.se+xml, CSS as application/vnd.geoserver.geocss+css, MapLibre style JSON as application/vnd.geoserver.mbstyle+json, YSLD as application/vnd.geoserver.ysld+yaml, and a package of an SLD and its images as application/zip.';

  it.each<[Uint8Array | string, ExpectedContent | undefined, string]>([
    ['', sld10, 'is empty'],
    ['', undefined, 'is empty'],
    [' \n\t', css, 'is empty'],
    ['\ufeff', sld10, 'is empty'],
    ['<!DOCTYPE html><html></html>', sld10, 'looks like an HTML page'],
    ['<!-- moved -->\n<HTML><body>', css, 'looks like an HTML page'],
    ['<html><p>unclosed', undefined, 'looks like an HTML page'],
    ['{"version": 8}', sld10, 'looks like JSON'],
    ['[1, 2]', css, 'looks like JSON'],
    ['roads: red', undefined, 'looks like text that is neither XML nor CSS'],
    ['roads: red', sld10, 'looks like text that is neither XML nor CSS'],
    ['<featureType><name>a</name></featureType>', css, "looks like an XML document ('featureType')"],
    ['<StyledLayerDescriptor version="3"/>', css, 'looks like an XML document'],
    [Buffer.from('GIF89a\x01\x00', 'latin1'), sld10, 'looks like a GIF image'],
    [Buffer.from('\xff\xd8\xff\xe0', 'latin1'), sld10, 'looks like a JPEG image'],
    [Buffer.from('BM\x46\0\0\0', 'latin1'), sld10, 'looks like a BMP image'],
    [Buffer.from('RIFF\x01\x02\x03\x04WEBPVP8 ', 'latin1'), sld10, 'looks like a WebP image'],
    [Buffer.from('\x1f\x8b\x08\0', 'latin1'), sld10, 'looks like a gzip file'],
    ['%PDF-1.4', css, 'looks like a PDF file'],
  ])('is named in the error: %j sent as %o', (body, expected, found) => {
    const problem = refusalOf(typeof body === 'string' ? utf8(body) : body, expected);

    expect(problem.code).toBe('style-content-mismatch');
    expect(problem.message).toContain(`The body ${found}, but `);
    if (!found.includes('image')) expect(problem.message).toContain(general);
  });

  it('is called by the given subject in the error', () => {
    const problem = refusalOf(utf8(sheet), { language: 'sld', subject: "The file 'a.sld'" });

    expect(problem.message).toMatch(/^The file 'a.sld' looks like CSS, but SLD was expected\./);
  });

  it('is recognised even if it starts with an unclosed tag', () => {
    const manyNamespaces = Array.from({ length: 3_000 }, (_, index) => ` xmlns:n${index}="b"`).join('');
    const wordy = newer.replace(' version', `${manyNamespaces} version`);

    expect(refusalOf(utf8(wordy), sld10).message).toContain('The body looks like SLD 1.1.0, but SLD 1.0.0');
  });

  it('is rejected for its format even if it is malformed', () => {
    expect(refusalOf(utf8(newer.replace('<NamedLayer>', '<Layer>')), sld10).code).toBe('style-content-mismatch');
  });
});

describe('malformed content', () => {
  it.each<[string, string, ExpectedContent | undefined, string]>([
    ['another XML document', '<featureType/>', sld10, 'style-invalid'],
    ['another XML document', '<featureType/>', undefined, 'style-invalid'],
    ['a premature end', older.slice(0, -5), sld10, 'xml-malformed'],
    ['text before the root', `oops ${older}`, sld10, 'xml-malformed'],
    ['an unclosed tag', '<StyledLayerDescriptor', undefined, 'xml-malformed'],
    ['an unclosed comment', '<!-- ', sld10, 'xml-malformed'],
    ['a DOCTYPE', `<!DOCTYPE StyledLayerDescriptor SYSTEM "file:///etc/passwd">${older}`, sld10, 'xml-doctype'],
    ['an unclosed rule', '* { fill: red', css, 'style-invalid'],
    ['an unclosed rule', '* { fill: red', undefined, 'style-invalid'],
    ['text that is not a rule', 'fill: red', css, 'style-invalid'],
    ['undecodable bytes', '\0\0*', css, 'style-invalid'],
    ['a DOCTYPE', `<!DOCTYPE a [<!ENTITY b SYSTEM "c">]>${older}`, undefined, 'xml-doctype'],
  ])('is rejected by its reader because of %s: %j', (_, text, expected, code) => {
    expect(refusalOf(utf8(text), expected)).toMatchObject({ code, status: 400 });
  });

  it('is rejected with a reason for arbitrary input', () => {
    const pieces = fc.constantFrom(
      ...'<>{}[]"=/ \n\0',
      '<!--',
      '-->',
      '<?xml',
      '?>',
      'StyledLayerDescriptor',
      '\ufeff',
    );
    const body = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.array(fc.oneof(pieces, fc.string()), { maxLength: 30 }).map((parts) => utf8(parts.join(''))),
    );
    const expected = fc.constantFrom<ExpectedContent | undefined>(undefined, sld10, sld11, css);
    fc.assert(
      fc.property(body, expected, (bytes, format) => {
        try {
          readContent(bytes, format);
        } catch (error) {
          expect(error).toBeInstanceOf(Problem);
          expect(error).toHaveProperty('status', 400);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('with a long prolog is checked in linear time', () => {
    const long = `${'<!-- x -->'.repeat(50_000)}${' a="'.repeat(100_000)}`;

    const start = performance.now();
    expect(refusalOf(utf8(`<a${long}`), sld10).code).toBe('xml-malformed');
    expect(refusalOf(utf8(`${long}<a ${'a ='.repeat(50_000)}`), sld10).code).toBe('xml-malformed');
    expect(performance.now() - start).toBeLessThan(60_000);
  });
});

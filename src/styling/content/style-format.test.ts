import { describe, expect, it } from 'vitest';
import {
  css,
  findStyleFormat,
  getStyleFormatName,
  getStyleMediaType,
  isSameFormat,
  parseCharset,
  sld10,
  sld11,
} from './style-format.ts';

describe('format of a Content-Type', () => {
  it.each([
    ['application/vnd.ogc.sld+xml', sld10],
    ['application/vnd.ogc.sld+xml; charset=utf-8', sld10],
    ['APPLICATION/VND.OGC.SLD+XML;Version=1.0.0', sld10],
    ['application/vnd.ogc.sld+xml;version=1.1.0', sld11],
    ['application/vnd.ogc.sld+xml; charset=UTF-8; version="1.1.0"', sld11],
    ['application/vnd.ogc.sld+xml; version=1.1', sld11],
    ['application/vnd.ogc.se+xml', sld11],
    [' application/vnd.ogc.se+xml ; version=1.1.0', sld11],
    ['application/vnd.geoserver.geocss+css', css],
    ['application/vnd.some-vendor_2.GeoCSS+css;charset=utf-8', css],
    ['text/css', css],
  ])('recognises %s', (contentType, format) => {
    expect(findStyleFormat(contentType)).toEqual(format);
  });

  it.each([
    'application/xml',
    'text/xml',
    'application/json',
    'application/zip',
    'application/vnd.ogc.sld+xml;version=2.0',
    'application/vnd.ogc.se+xml;version=1.0.0',
    'application/vnd.geocss+css',
    'application/vnd..geocss+css',
    'application/vnd.one.two.geocss+css',
    'application/vnd.a/b.geocss+css',
    'text/css+more',
    '',
  ])('is undefined for %s', (contentType) => {
    expect(findStyleFormat(contentType)).toBeUndefined();
  });
});

it.each([
  ['text/css; charset=ISO-8859-1', 'iso-8859-1'],
  ['text/css;charset="windows-1252" ', 'windows-1252'],
  ['text/css; version=1; Charset=utf-16', 'utf-16'],
  ['text/css; charset=', undefined],
  ['text/css; mycharset=utf-16', undefined],
  ['text/css', undefined],
])('reads the charset of %s as %s', (contentType, charset) => {
  expect(parseCharset(contentType)).toBe(charset);
});

it.each([
  [sld10, 'application/vnd.ogc.sld+xml', 'SLD 1.0.0'],
  [sld11, 'application/vnd.ogc.se+xml', 'SLD 1.1.0'],
  [css, 'application/vnd.geoserver.geocss+css', 'CSS'],
])('writes %o as %s, with the name %s', (format, mediaType, name) => {
  expect(getStyleMediaType(format)).toBe(mediaType);
  expect(getStyleFormatName(format)).toBe(name);
  expect(findStyleFormat(mediaType)).toEqual(format);
});

it('distinguishes formats by language, and SLD by version', () => {
  expect(isSameFormat(sld10, { ...sld10 })).toBe(true);
  expect(isSameFormat(sld10, sld11)).toBe(false);
  expect(isSameFormat(sld10, css)).toBe(false);
  expect(isSameFormat(css, { language: 'css', version: '1.1.0' })).toBe(true);
});

/** Small styles for tests, and helpers to upload them. */
import { crc32, deflateSync } from 'node:zlib';
import { type FieldError, Problem } from '../../src/lib/problems/problem.ts';
import type { StyledLayerDescriptor } from '../../src/styling/model/styled-layer-descriptor.ts';
import type { SldVersion } from '../../src/styling/sld/document/sld-version.ts';
import { writeSld } from '../../src/styling/sld/writer.ts';
import { rawZip } from './raw-zip.ts';
import type { Reply, RequestOptions, TestServer } from './test-server.ts';

export const SLD_TYPE = 'application/vnd.ogc.sld+xml';
export const SE_TYPE = 'application/vnd.ogc.se+xml';
export const CSS_TYPE = 'application/vnd.geoserver.geocss+css';
export const ZIP_TYPE = 'application/zip';

/** A line of one color, in SLD 1.0.0. */
export function lineSld(name: string, color = '#ff0000'): string {
  return sld(
    name,
    `<LineSymbolizer><Stroke><CssParameter name="stroke">${color}</CssParameter></Stroke></LineSymbolizer>`,
  );
}

/** A point drawn as an image, in SLD 1.0.0. */
export function pictureSld(name: string, href: string): string {
  return sld(
    name,
    `<PointSymbolizer><Graphic><ExternalGraphic><OnlineResource xmlns:xlink="http://www.w3.org/1999/xlink" xlink:type="simple" xlink:href="${href}"/><Format>image/png</Format></ExternalGraphic><Size>16</Size></Graphic></PointSymbolizer>`,
  );
}

function sld(name: string, symbolizer: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc">
  <NamedLayer><Name>${name}</Name><UserStyle><Name>${name}</Name><FeatureTypeStyle><Rule>
    ${symbolizer}
  </Rule></FeatureTypeStyle></UserStyle></NamedLayer>
</StyledLayerDescriptor>
`;
}

/** A line of one color, in SLD 1.1.0; the older version cannot express the name of its symbolizer. */
export function lineSe(name: string, symbolizerName?: string): string {
  const named = symbolizerName === undefined ? '' : `<se:Name>${symbolizerName}</se:Name>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.1.0" xmlns="http://www.opengis.net/sld" xmlns:se="http://www.opengis.net/se">
  <NamedLayer><se:Name>${name}</se:Name><UserStyle><se:Name>${name}</se:Name><se:FeatureTypeStyle><se:Rule>
    <se:LineSymbolizer>${named}<se:Stroke><se:SvgParameter name="stroke">#0000ff</se:SvgParameter></se:Stroke></se:LineSymbolizer>
  </se:Rule></se:FeatureTypeStyle></UserStyle></NamedLayer>
</StyledLayerDescriptor>
`;
}

/** A PNG image of one gray pixel. */
export function tinyPng(grey = 128): Buffer {
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0])),
    chunk('IDAT', deflateSync(Buffer.from([0, grey]))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([size, body, check]);
}

/** A package with these files. */
export function createStylePackage(files: Readonly<Record<string, string | Buffer>>): Buffer {
  return rawZip(Object.entries(files).map(([name, data]) => ({ name, data })));
}

export function send(
  server: TestServer,
  method: 'POST' | 'PUT',
  path: string,
  type: string,
  body: string | Buffer,
  options: RequestOptions = {},
): Promise<Reply> {
  return server.request(method, path, { ...options, type, body });
}

/** The names in a listing of styles. */
export async function styleNames(server: TestServer, path = '/styles'): Promise<readonly string[]> {
  const reply = (await server.get(`${path}.json`)).json() as { styles: { style: readonly { name: string }[] } };
  return reply.styles.style.map(({ name }) => name);
}

/** The parts of a style that a version of SLD cannot express; empty if it can be written without loss. */
export function lossesIn(model: StyledLayerDescriptor, version: SldVersion): readonly FieldError[] {
  try {
    writeSld(model, version);
    return [];
  } catch (error) {
    if (error instanceof Problem && error.code === 'style-not-convertible') return error.details.complaints ?? [];
    throw error;
  }
}

/** Draws style documents and compares the maps with the reviewed pictures beside them. */
import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { drawMap } from '../../src/rendering/draw-map.ts';
import { encodePicture } from '../../src/rendering/output/encode-picture.ts';
import type { MapRequest, Pixels } from '../../src/rendering/request/map-request.ts';
import { readContent } from '../../src/styling/content/read-content.ts';
import { never, wideBudget } from '../support/drawn-layers.ts';
import { createGalleryLayer } from './data.ts';

/** The tolerated difference of a channel, and the share of channels that may exceed it: processors round differently. */
const TOLERANCE = 8;
const MOST_BEYOND = 0.002;

/** Defines a test for each document below a folder. */
export function testDocuments(folder: URL): void {
  const documents = globSync('**/*.{sld,css,json,yaml}', { cwd: fileURLToPath(folder) }).sort();
  test.each(documents)('matches the reviewed picture of %s', async (name) => {
    const bytes = await readFile(new URL(name, folder));
    const picture = new URL(name.replace(/\.\w+$/, '.png'), folder);

    const pixels = await drawDocument(bytes);

    const expected = await readPicture(picture);
    if (process.env['UPDATE_GALLERY'] === '1' && !isAlike(pixels, expected)) {
      await writeFile(picture, await encodePicture(pixels, 'png'));
      return;
    }
    expect(isAlike(pixels, expected), 'The map differs from the reviewed picture.').toBe(true);
  });

  test('has a document for each picture', () => {
    const pictures = globSync('**/*.png', { cwd: fileURLToPath(folder) }).sort();
    expect(pictures).toEqual([...new Set(documents.map((name) => name.replace(/\.\w+$/, '.png')))].sort());
  });
}

function drawDocument(bytes: Uint8Array): Promise<Pixels> {
  const { model } = readContent(bytes);
  const options = readOptions(Buffer.from(bytes).toString());
  const layers = model.layers.flatMap(({ styles }) =>
    styles.flatMap((style) => (style.kind === 'userStyle' ? createGalleryLayer(options['data'] ?? '', style) : [])),
  );
  return drawMap({ ...createMapRequest(options), layers }, wideBudget, never);
}

function readOptions(text: string): Readonly<Record<string, string>> {
  const written = /gallery:([^\n"]*?)(?:-->|\*\/|"|\n)/.exec(text)?.[1] ?? '';
  return Object.fromEntries([...written.matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]));
}

function createMapRequest(options: Readonly<Record<string, string>>): Omit<MapRequest, 'layers'> {
  const [width = 240, height = 120] = (options['size'] ?? '240x120').split('x').map(Number);
  const [minX = 0, minY = 0, maxX = 40, maxY = 20] = (options['box'] ?? '0,0,40,20').split(',').map(Number);
  const variables = (options['env'] ?? '').split(',').filter(Boolean);
  return {
    width,
    height,
    box: { minX, minY, maxX, maxY },
    system: { code: options['crs'] ?? 'EPSG:4326' },
    angle: Number(options['angle'] ?? 0),
    ...(options['dpi'] === undefined ? {} : { dpi: Number(options['dpi']) }),
    variables: Object.fromEntries(variables.map((each) => each.split(':'))),
  };
}

async function readPicture(file: URL): Promise<Uint8Array> {
  const bytes = await readFile(file).catch(() => undefined);
  return bytes === undefined ? new Uint8Array() : sharp(bytes).ensureAlpha().raw().toBuffer();
}

function isAlike({ bytes }: Pixels, expected: Uint8Array): boolean {
  if (expected.length !== bytes.length) return false;
  const beyond = bytes.filter((part, at) => Math.abs(part - (expected[at] ?? 0)) > TOLERANCE).length;
  return beyond / bytes.length <= MOST_BEYOND;
}

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readSld } from '../sld/reader.ts';
import { findFirstStyleName, listGraphicHrefs } from './references.ts';

const corpus = new URL('../../../test/styles/sld/accepted/', import.meta.url);

function read(name: string) {
  return readSld(readFileSync(new URL(`${name}.sld`, corpus), 'utf8')).model;
}

test.each([
  ['point-circle', []],
  ['point-fallbacks', ['port.svg', 'port.gif']],
  ['polygon-tiled', ['tiles/reed.png']],
  ['legend-graphics', ['legend/cable.png']],
  ['se-external-mark', ['fonts/castles.ttf']],
  ['se-inline-drawing', []],
])('%s refers to %j', (name, hrefs) => {
  expect(listGraphicHrefs(read(name))).toEqual(hrefs);
});

test.each([
  ['line-cased', 'streets_cased'],
  ['point-circle', undefined],
  ['named-styles', undefined],
  ['se-libraries', 'shared'],
])('%s has the name %s', (name, expected) => {
  expect(findFirstStyleName(read(name))).toBe(expected);
});

test('all references of the corpus survive a round trip', () => {
  for (const file of readdirSync(corpus).filter((name) => name.endsWith('.sld'))) {
    const text = readFileSync(new URL(file, corpus), 'utf8');
    for (const href of listGraphicHrefs(readSld(text).model)) expect(text).toContain(`"${href}"`);
  }
});

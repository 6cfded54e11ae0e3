import { expect, test } from 'vitest';
import { createLiteral, type VendorOption } from '../model/model.ts';
import { checkOption, vendorOptions } from './vendor-options.ts';

const option = (name: string, value: string): VendorOption => ({ name, value: createLiteral(value) });

test.each([
  [
    'followLine',
    'perhaps',
    "The vendor option 'followLine' has the invalid value 'perhaps'. It must be true or false.",
  ],
  [
    'goodnessOfFit',
    '2',
    "The vendor option 'goodnessOfFit' has the invalid value '2'. It must be a number from 0 to 1.",
  ],
  ['repeat', 'often', "The vendor option 'repeat' has the invalid value 'often'. It must be a number of pixels."],
  [
    'graphic-margin',
    '1 2 3 4 5',
    "The vendor option 'graphic-margin' has the invalid value '1 2 3 4 5'. It must be one to four numbers of pixels: top, right, bottom, left.",
  ],
  [
    'polygonAlign',
    'up',
    "The vendor option 'polygonAlign' has the invalid value 'up'. It must be manual, ortho, mbr or none.",
  ],
  [
    'displacementMode',
    'N, X',
    "The vendor option 'displacementMode' has the invalid value 'N, X'. It must be a list of N, NE, E, SE, S, SW, W, NW.",
  ],
  ['folowLine', 'true', "The vendor option 'folowLine' has no effect on maps. Did you mean 'followLine'?"],
  ['random', 'grid', "The vendor option 'random' has no effect in TextSymbolizer. It belongs to PolygonSymbolizer."],
  [
    'vt-labels',
    'true',
    "The vendor option 'vt-labels' has no effect in TextSymbolizer. It belongs to FeatureTypeStyle, Rule.",
  ],
])('the option %s of a label with the value %s has a warning', (name, value, sentence) => {
  expect(checkOption(option(name, value), 'textSymbolizer')).toBe(sentence);
});

test.each([
  ['FOLLOWLINE', ' Yes ', 'textSymbolizer'],
  ['spaceAround', '-2', 'textSymbolizer'],
  ['graphic-margin', '1, 2 3', 'polygonSymbolizer'],
  ['composite', 'Multiply, 0.5', 'rasterSymbolizer'],
  ['sortBy', 'level, name D', 'featureTypeStyle'],
  ['repeat', '\u0024{spacing}', 'textSymbolizer'],
  ['firstMatch', 'true', 'featureTypeStyle'],
  ['displacementMode', 'E, NE, N, NW, W, SW, S, SE', 'textSymbolizer'],
  ['random-symbol-count', '500', 'polygonSymbolizer'],
  ['random-tile-size', '1024', 'polygonSymbolizer'],
  ['random-tile-size', '2000 m', 'polygonSymbolizer'],
])('the option %s with the value %s is accepted', (name, value, place) => {
  expect(checkOption(option(name, value), place)).toBeUndefined();
});

test.each([
  ['random-symbol-count', '0', 'an integer from 1 to 500'],
  ['random-symbol-count', '501', 'an integer from 1 to 500'],
  ['random-tile-size', '0', 'a number of pixels from 1 to 1024'],
  ['random-tile-size', '1025 px', 'a number of pixels from 1 to 1024'],
])('the option %s of a fill with the value %s has a warning', (name, value, expected) => {
  expect(checkOption(option(name, value), 'polygonSymbolizer')).toContain(`'${value}'. It must be ${expected}.`);
});

test('the value of an expression is not checked', () => {
  expect(
    checkOption({ name: 'repeat', value: { kind: 'property', name: 'spacing' } }, 'textSymbolizer'),
  ).toBeUndefined();
});

test('each option is declared once, with a default that is a valid value', () => {
  expect(new Set(vendorOptions.map(({ name }) => name.toLowerCase())).size).toBe(vendorOptions.length);
  const isValid = ({ byDefault, values }: (typeof vendorOptions)[number]) =>
    byDefault === '' || values.accepts(byDefault);
  expect(vendorOptions.filter((each) => !isValid(each))).toEqual([]);
});

import { describe, expect, it } from 'vitest';
import { mergeParameters } from './merge-parameters.ts';
import {
  count,
  declareFamily,
  declareOperation,
  declareParameter,
  declareUnsupported,
  findSentText,
  flag,
  listUnknownWarnings,
  readParameter,
  rejectUnsupported,
  requireParameter,
  text,
} from './service-parameters.ts';

const names = declareParameter('typeNames', text, 'Names.', { aliases: ['typeName'], mustAgree: true });
const layer = declareParameter('layer', text, 'A layer.', { aliases: ['layers'] });
const limit = declareParameter('maxFeatures', count, 'A number.');

const pairs = (given: Readonly<Record<string, string>>) => new Map(Object.entries(given));

describe('a declared parameter', () => {
  it('is parsed if it is present, and has its default otherwise', () => {
    expect(readParameter(pairs({ maxfeatures: '5' }), limit)).toBe(5);
    expect(readParameter(pairs({}), limit)).toBeUndefined();
    expect(readParameter(pairs({}), declareParameter('tiled', flag, 'Tiled.'))).toBe(false);
  });

  it('is rejected with its documented name and the expected form', () => {
    expect(() => readParameter(pairs({ maxfeatures: 'many' }), limit)).toThrow(
      "Invalid value 'many' for the parameter 'maxFeatures': expected an integer of at least 0.",
    );
  });

  it('has aliases: the first declared name that is sent counts', () => {
    expect(findSentText(pairs({ layers: 'b', layer: 'a' }), layer)).toBe('a');
    expect(findSentText(pairs({ layers: 'b' }), layer)).toBe('b');
  });

  it('is rejected if the values of its aliases must agree and differ', () => {
    expect(readParameter(pairs({ typenames: 'a', typename: 'a' }), names)).toBe('a');
    expect(() => readParameter(pairs({ typenames: 'a', typename: 'b' }), names)).toThrow("'typeName'");
  });

  it('is rejected if it is required and absent, by the name of the version', () => {
    expect(() => requireParameter(pairs({}), limit)).toThrow("'maxFeatures'");
    expect(() => requireParameter(pairs({}), layer, 'layers')).toThrow("'layers'");
  });
});

describe('a declared operation', () => {
  const operation = declareOperation('GetMap', {
    layer,
    limit,
    dimension: declareFamily('dim_', 'A dimension.'),
    predictor: declareUnsupported('predictor', { what: 'A predictor', instead: 'omit it', usual: 'none' }),
    remote: declareUnsupported('remote_', { what: 'Remote data', instead: 'create a store' }),
  });

  it('returns a warning for each unknown name, except those that bypass caches', () => {
    const sent = pairs({ layers: 'a', dim_depth: '3', predictor: 'none', _: '1', maxfeature: '1', wide: '2' });

    expect(listUnknownWarnings(operation, sent)).toEqual([
      "Unknown parameter 'maxfeature'. It is ignored.",
      "Unknown parameter 'wide'. It is ignored.",
    ]);
  });

  it('returns at most eight warnings', () => {
    const sent = pairs(Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`x${index}`, '1'])));

    expect(listUnknownWarnings(operation, sent)).toHaveLength(8);
  });

  it('rejects unsupported parameters unless they have the usual value', () => {
    expect(() => rejectUnsupported(operation, pairs({ predictor: 'NONE' }))).not.toThrow();
    expect(() => rejectUnsupported(operation, pairs({ predictor: 'horizontal' }))).toThrow('A predictor');
    expect(() => rejectUnsupported(operation, pairs({ remote_url: 'x' }))).toThrow('Remote data');
  });

  it('is described with the operations that each parameter applies to', () => {
    const other = declareOperation('GetLegendGraphic', { layer, limit: { ...limit, description: 'Another number.' } });
    const merged = mergeParameters({ GetMap: operation, GetLegendGraphic: other });

    expect(Object.entries(merged).map(([name, { description }]) => [name, description])).toEqual([
      ['layer', 'A layer. Alias: layers.'],
      ['maxFeatures', 'GetMap: A number. GetLegendGraphic: Another number.'],
    ]);
  });
});

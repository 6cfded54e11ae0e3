import { expect, it } from 'vitest';
import { readSld } from '../sld/reader.ts';
import { builtInStyles } from './built-in-styles.ts';

it.each(builtInStyles)('the built-in style $name is valid SLD 1.0.0 of its own name', ({ name, sld }) => {
  const { version, model } = readSld(sld);

  expect(version).toBe('1.0.0');
  expect(model.layers).toMatchObject([{ name, styles: [{ kind: 'userStyle', name }] }]);
});

it('are those that layers fall back to, and those for rasters', () => {
  expect(builtInStyles.map(({ name }) => name)).toEqual(['point', 'line', 'polygon', 'raster', 'generic']);
});

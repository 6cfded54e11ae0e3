import { expect, it } from 'vitest';
import { describeContent } from '../content/describe-content.ts';
import { readContent } from '../content/read-content.ts';
import { readSld } from '../sld/reader.ts';
import { builtInStyles } from './built-in-styles.ts';

it.each(builtInStyles)('the built-in style $name is valid SLD 1.0.0 and contains its own name', ({ name, sld }) => {
  const { version, model } = readSld(sld);

  expect(version).toBe('1.0.0');
  expect(model.layers).toMatchObject([{ name, styles: [{ kind: 'userStyle', name }] }]);
});

it.each(builtInStyles)(
  'the built-in style $name has no graphics and no warnings, so that it is stored unparsed',
  ({ sld }) => {
    const bytes = Buffer.from(sld);

    expect(describeContent(readContent(bytes, { language: 'sld', strict: true }))).toMatchObject({
      format: { language: 'sld', version: '1.0.0' },
      charset: null,
      localGraphics: [],
      knowsGraphics: true,
      referenceCount: 0,
      warnings: [],
    });
  },
);

it('the built-in styles are the default styles of layers and the raster style', () => {
  expect(builtInStyles.map(({ name }) => name)).toEqual(['point', 'line', 'polygon', 'raster', 'generic']);
});

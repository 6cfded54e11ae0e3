import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { convertContent } from './convert-content.ts';
import { readContent } from './read-content.ts';
import { css, sld10, sld11 } from './style-format.ts';

function corpus(name: string): Uint8Array {
  return readFileSync(new URL(`../../../test/styles/sld/accepted/${name}.sld`, import.meta.url));
}

it('converts SLD 1.0.0 to 1.1.0 and back', () => {
  const content = readContent(corpus('point-circle'));

  const newer = readContent(Buffer.from(convertContent(content, sld11)), sld11);
  const older = readContent(Buffer.from(convertContent(newer, sld10)), sld10);

  expect(newer.model).toEqual(content.model);
  expect(older.model).toEqual(content.model);
});

it('converts CSS to both versions of SLD', () => {
  const content = readContent(Buffer.from('* { fill: #008000 }'), css);

  for (const format of [sld10, sld11]) {
    expect(readContent(Buffer.from(convertContent(content, format)), format).model).toEqual(content.model);
  }
});

it('converts CSS for several types to SLD with one layer for each type', () => {
  const content = readContent(
    Buffer.from('* { stroke: #000000 } roads { stroke: #ff0000 } topp:rivers { stroke: #0000ff }'),
    css,
  );

  for (const format of [sld10, sld11]) {
    const { model } = readContent(Buffer.from(convertContent(content, format)), format);
    const typesByLayer = model.layers.map(({ name, styles: [style] }) => [
      name,
      style?.kind === 'userStyle' ? style.featureTypeStyles.map(({ featureTypeName }) => featureTypeName) : [],
    ]);
    expect(typesByLayer).toEqual([
      ['roads', [undefined, 'roads', 'topp:rivers']],
      ['topp:rivers', [undefined, 'topp:rivers']],
    ]);
  }
});

it('converts CSS for one type to SLD with a layer of its name', () => {
  const content = readContent(Buffer.from("@styleName 'paths'; roads { stroke: #ff0000 }"), css);

  const { model } = readContent(Buffer.from(convertContent(content, sld10)), sld10);

  expect(model.layers).toMatchObject([{ name: 'roads', styles: [{ name: 'paths' }] }]);
});

it('lists everything that SLD 1.0.0 cannot express', () => {
  const content = readContent(corpus('se-line-gaps'));

  expect(() => convertContent(content, sld10)).toThrow(
    expect.objectContaining({ code: 'style-not-convertible', status: 406 }),
  );
});

it('rejects a conversion to CSS', () => {
  const content = readContent(corpus('point-circle'));

  expect(() => convertContent(content, css)).toThrow(
    expect.objectContaining({
      code: 'style-language-not-written',
      status: 406,
      message: 'The style is written in SLD 1.0.0; conversion to CSS is not supported. Request it as .sld.',
    }),
  );
});

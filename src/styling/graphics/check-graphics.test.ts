import { describe, expect, it } from 'vitest';
import { readSld } from '../sld/reader.ts';
import { classifyGraphics, listGraphicWarnings } from './check-graphics.ts';

function referencesOf(...hrefs: readonly string[]) {
  const symbolizers = hrefs.map(
    (href) =>
      `<PointSymbolizer><Graphic><ExternalGraphic><OnlineResource xlink:href="${href}"/><Format>image/png</Format></ExternalGraphic></Graphic></PointSymbolizer>`,
  );
  const { model } = readSld(
    `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:xlink="http://www.w3.org/1999/xlink"><NamedLayer><Name>a</Name><UserStyle><FeatureTypeStyle><Rule>${symbolizers.join('')}</Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`,
  );
  return classifyGraphics(model);
}

const nothingExists = async () => false;
const nothingIsAllowed = async () => 'no enabled URL check matches it';

it('classifyGraphics lists each graphic of a style once, without fonts', () => {
  expect(referencesOf('a.png', 'http://example.org/b.png', 'a.png', 'ttf://Castles', `\${c}.png`, '/d.png')).toEqual([
    { href: 'a.png', kind: 'local', path: 'a.png' },
    { href: 'http://example.org/b.png', kind: 'remote' },
    { href: `\${c}.png`, kind: 'dynamic' },
    { href: '/d.png', kind: 'outside', reason: 'its path is absolute' },
  ]);
});

it('classifyGraphics lists marks from files', () => {
  const { model } = readSld(
    `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld"><NamedLayer><Name>a</Name><UserStyle><FeatureTypeStyle><Rule>${['file://symbols/a.svg', 'file:///etc/b.svg', 'star'].map((name) => `<PointSymbolizer><Graphic><Mark><WellKnownName>${name}</WellKnownName></Mark></Graphic></PointSymbolizer>`).join('')}</Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`,
  );

  expect(classifyGraphics(model)).toEqual([
    { href: 'symbols/a.svg', kind: 'local', path: 'symbols/a.svg' },
    { href: '/etc/b.svg', kind: 'outside', reason: 'its path is absolute' },
  ]);
});

describe('listGraphicWarnings', () => {
  it('returns nothing for existing, allowed and dynamic graphics', async () => {
    const looked: string[] = [];
    const note = (answer: string) => async (text: string) => {
      looked.push(text);
      return answer;
    };

    const warnings = await listGraphicWarnings(
      referencesOf('icons/./a.png', 'http://example.org/b.png', `\${c}.png`),
      async (path) => (await note('')(path)) === '',
      note('allowed'),
    );

    expect(warnings).toEqual([]);
    expect(looked).toEqual(['icons/a.png', 'http://example.org/b.png']);
  });

  it('names missing graphics', async () => {
    expect(await listGraphicWarnings(referencesOf('./a.png'), nothingExists, nothingIsAllowed)).toEqual([
      "The graphic './a.png' does not exist. Send it with the style in a ZIP package.",
    ]);
  });

  it('states why a remote graphic is not read, without its credentials', async () => {
    const references = referencesOf('http://example.org/b.png', 'https://me:secret@example.org/c.png?key=secret');

    expect(await listGraphicWarnings(references, nothingExists, nothingIsAllowed)).toEqual([
      "The graphic 'http://example.org/b.png' will not be read: no enabled URL check matches it.",
      "The graphic 'https://example.org/c.png' will not be read: no enabled URL check matches it.",
    ]);
  });

  it('rejects paths outside of the folder without a lookup', async () => {
    const look = async () => {
      throw new Error('looked');
    };

    expect(await listGraphicWarnings(referencesOf('../a.png', 'file:///etc/passwd'), look, look)).toEqual([
      "The graphic '../a.png' will not be read: its path leaves the folder of the style. Use a relative path within the folder of the style.",
      "The graphic 'file:///etc/passwd' will not be read: it is a file: URL. Use a relative path within the folder of the style.",
    ]);
  });

  it('limits the number of warnings', async () => {
    const references = referencesOf(...Array.from({ length: 130 }, (_, number) => `http://example.org/${number}.png`));
    let decisions = 0;

    const warnings = await listGraphicWarnings(references, nothingExists, async () => {
      decisions += 1;
      return 'no';
    });

    expect(decisions).toBe(100);
    expect(warnings).toHaveLength(22);
    expect(warnings.slice(20)).toEqual([
      '80 more graphics will not be drawn for similar reasons.',
      'The style refers to 30 more graphics that were not checked.',
    ]);
  });
});

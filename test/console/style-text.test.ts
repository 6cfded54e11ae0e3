/** Parts of the style editor that need no browser. */
import { describe, expect, it } from 'vitest';
import { RestProblem } from '../../console/rest/problems.ts';
import {
  type ClassStyle,
  type RulesDocument,
  readClasses,
  readColorMap,
  type Shape,
  writeClasses,
  writeColorMap,
} from '../../console/style-text/classes.ts';
import { compareLines } from '../../console/style-text/compare-lines.ts';
import { chooseRange, findValue, toLongColor } from '../../console/style-text/find-value.ts';
import { cssProperties, marks, vendorOptions } from '../../console/style-text/grammar.ts';
import { detectSldVersion, getMediaType } from '../../console/style-text/languages.ts';
import { nameLayer } from '../../console/style-text/name-layer.ts';
import { findOpenElements } from '../../console/style-text/open-elements.ts';
import { listStyleErrors, listStyleWarnings } from '../../console/style-text/problems.ts';
import { createColors, lightToOklab, ramps, toLight } from '../../console/style-text/ramps.ts';
import { createTemplate, templateKinds } from '../../console/style-text/templates.ts';
import { vendorOptions as serverOptions } from '../../src/styling/content/vendor-options.ts';
import { readCss } from '../../src/styling/css/reader.ts';
import { propertyKinds } from '../../src/styling/css/values/properties.ts';
import { readMbStyle } from '../../src/styling/mbstyle/reader.ts';
import { readSld } from '../../src/styling/sld/reader.ts';

describe('the grammar for completion', () => {
  it('has the CSS properties and the vendor options of the server', () => {
    const effective = serverOptions.filter(({ isIgnored }) => isIgnored !== true);

    expect(Object.keys(cssProperties)).toEqual([...propertyKinds.keys()]);
    expect(Object.keys(vendorOptions)).toEqual(effective.map(({ name }) => name));
    for (const [name, words] of Object.entries(cssProperties)) {
      for (const word of words.filter((each) => each !== 'none')) {
        expect(
          readCss(`* { fill: red; ${name === 'fill' ? '' : `${name}: ${word};`} }`).warnings,
          `${name}: ${word}`,
        ).toEqual([]);
      }
    }
    for (const [name, words] of Object.entries(vendorOptions)) {
      const option = effective.find((each) => each.name === name);
      expect(words.filter((word) => option?.values.accepts(word) !== true)).toEqual([]);
    }
    expect(marks.length).toBeGreaterThan(20);
  });

  it('finds the elements that are open at a position', () => {
    const text =
      '<?xml version="1.0"?><!-- <a> --><sld:Rule a="x>y"><b/><sld:Fill><Done></Done><![CDATA[<c>]]><sld:Css';

    expect(findOpenElements(text).map(({ tag }) => tag)).toEqual(['sld:Rule', 'sld:Fill']);
    expect(findOpenElements('<Rule><Fill></Fill>').at(-1)).toEqual({ name: 'Rule', prefix: '', tag: 'Rule' });
  });
});

describe('problems of styles', () => {
  it('have the positions of the errors of the server', () => {
    const errors = [{ field: 'fil', message: "line 3, column 5: unknown property 'fil'" }, { message: 'too large' }];
    const document = { status: 400, code: 'style-invalid', title: 'Bad Request', detail: 'Invalid.', errors };
    const malformed = { ...document, detail: 'The XML is not well-formed at line 7, column 2: x.', errors: [] };

    expect(listStyleErrors(new RestProblem(document))).toEqual([
      { severity: 'error', line: 3, column: 5, message: "Unknown property 'fil'" },
      { severity: 'error', message: 'Too large' },
    ]);
    expect(listStyleErrors(new RestProblem(malformed))).toMatchObject([{ line: 7, column: 2 }]);
  });

  it('have the warnings of a response', () => {
    const header = `199 - "Line 2, column 4: 'Stra%C3%9Fe', 50% is odd.", 199 - "Other"`;

    expect(listStyleWarnings(header)).toEqual([
      { severity: 'warning', line: 2, column: 4, message: "'Straße', 50% is odd." },
      { severity: 'warning', message: 'Other' },
    ]);
    expect(listStyleWarnings(null)).toEqual([]);
  });
});

describe('the value at the cursor', () => {
  const text = '* { fill: #Fa0; stroke-width: 1.5px; a: -12; id: #ff880099; n: 123456 }';
  const at = (part: string) => findValue(text, text.indexOf(part) + 1);

  it('is a colour or a number that a picker can show', () => {
    expect(at('#Fa0')).toEqual({ kind: 'color', from: 10, to: 14, text: '#Fa0' });
    expect(at('1.5px')).toMatchObject({ kind: 'number', text: '1.5' });
    expect(at('-12')).toMatchObject({ kind: 'number', text: '-12' });
    expect([at('#ff880099'), at('123456'), at('fill')]).toEqual([undefined, undefined, undefined]);
  });

  it('has a range around it, and the long form of its colour', () => {
    expect(toLongColor('#Fa0')).toBe('#ffaa00');
    expect([chooseRange('0.35'), chooseRange('12'), chooseRange('-120')]).toEqual([
      { min: 0, max: 1, step: 0.05 },
      { min: 0, max: 100, step: 1 },
      { min: -1_000, max: 1_000, step: 1 },
    ]);
  });
});

describe('styles for requests', () => {
  it('have the media type of their version', () => {
    const version = detectSldVersion('<sld:StyledLayerDescriptor xmlns="a" version="1.1.0">', '1.0.0');

    expect(getMediaType({ language: 'sld', version })).toBe('application/vnd.ogc.se+xml');
    expect(detectSldVersion('* {}', '1.0.0')).toBe('1.0.0');
  });

  it('name the layer of the map in the first layer', () => {
    const wrap = (content: string) => `<s:StyledLayerDescriptor xmlns:s="x">${content}</s:StyledLayerDescriptor>`;
    const layer = (name: string) =>
      `<s:NamedLayer>${name}<s:UserStyle><s:Name>mine</s:Name></s:UserStyle></s:NamedLayer>`;

    expect(nameLayer(wrap(layer('<s:Name>style</s:Name>')), 'a:b')).toBe(wrap(layer('<s:Name>a:b</s:Name>')));
    expect(nameLayer(wrap(layer('')), 'a:b')).toBe(wrap(layer('<s:Name>a:b</s:Name>')));
    const named = wrap(layer('<s:Name>other</s:Name>') + layer('<s:Name>b</s:Name>'));
    expect([nameLayer(named, 'a:b'), nameLayer('<a>', 'a:b')]).toEqual([named, '<a>']);
  });

  it('begin with templates that the server reads without warnings', () => {
    for (const kind of templateKinds) {
      expect(readCss(createTemplate('css', kind)).warnings).toEqual([]);
      expect(readSld(createTemplate('sld', kind)).warnings).toEqual([]);
      expect(readMbStyle(createTemplate('mbstyle', kind)).warnings).toEqual([]);
    }
  });
});

describe('two texts', () => {
  it('are compared line by line', () => {
    const { one, other } = compareLines('a\nb\nc\nd', 'a\nx\nc\nd');
    const mark = (lines: typeof one) =>
      lines.map(({ text, isDifferent }) => `${text}${isDifferent ? '!' : ''}`).join(' ');

    expect([mark(one), mark(other)]).toEqual(['a b! c d', 'a x! c d']);
    expect(compareLines('a', 'a').one.some(({ isDifferent }) => isDifferent)).toBe(false);
  });
});

describe('classes', () => {
  const compare = (value: unknown) => ({ PropertyName: 'a', Literal: value });
  const document: RulesDocument = {
    Rules: {
      Rule: [
        { Filter: { And: { PropertyIsGreaterThanOrEqualTo: compare(1), PropertyIsLessThanOrEqualTo: compare(5.5) } } },
        { Filter: { PropertyIsEqualTo: compare("O'Hara */ <b>") } },
      ],
    },
  };
  const paint = (count: number) => Array.from({ length: count }, (_, index) => `#00000${index}`);
  const shapes: readonly Shape[] = ['polygon', 'line', 'point'];

  it('are read from the response of the classification service', () => {
    expect(readClasses(document, paint)).toMatchObject([
      { title: '1 – 5.5', color: '#000000', limits: [{ sign: '>=' }, { sign: '<=', value: '5.5' }] },
      { title: "O'Hara */ <b>", color: '#000001', limits: [{ sign: '=', value: "O'Hara */ <b>" }] },
    ]);
  });

  it.each(shapes)('are written as CSS and as SLD with the same meaning: %s', (shape) => {
    for (const attribute of ['rank', 'größe "x"']) {
      const style: ClassStyle = { attribute, shape, classes: readClasses(document, paint), outline: '#4a5560' };
      const css = readCss(writeClasses(style, 'css'));
      const sld = readSld(writeClasses(style, 'sld'));
      const listRules = ({ model }: Pick<typeof sld, 'model'>) =>
        model.layers.flatMap((layer) =>
          layer.kind === 'namedLayer' || layer.kind === 'userLayer'
            ? layer.styles.flatMap((each) =>
                each.kind === 'userStyle' ? each.featureTypeStyles.flatMap(({ rules }) => rules) : [],
              )
            : [],
        );

      expect([css.warnings, sld.warnings]).toEqual([[], []]);
      expect(listRules(sld)).toHaveLength(2);
      expect(listRules(css).map(({ filter }) => JSON.stringify(filter).includes('Hara'))).toContain(true);
      expect(JSON.stringify(listRules(sld))).toContain(JSON.stringify(attribute).slice(1, -1));
    }
  });

  it('of rasters are written as colour maps', () => {
    const entry = (quantity: number, more = {}) => ({ '@color': '#ffffff', '@quantity': quantity, ...more });
    const entries = readColorMap(
      {
        Rules: {
          Rule: {
            RasterSymbolizer: {
              ColorMap: { ColorMapEntry: [entry(0, { '@opacity': 0 }), entry(5, { '@label': `<'5'>` }), entry(9)] },
            },
          },
        },
      } as unknown as RulesDocument,
      paint,
    );

    expect(entries.map(({ color, opacity }) => [color, opacity])).toEqual([
      ['#000000', 0],
      ['#000000', 1],
      ['#000001', 1],
    ]);
    for (const type of ['intervals', 'values']) {
      expect(readCss(writeColorMap(entries, type, 'css')).warnings).toEqual([]);
      expect(readSld(writeColorMap(entries, type, 'sld')).warnings).toEqual([]);
    }
  });
});

/** Matrices of the full deficiencies, for light (Machado, Oliveira and Fernandes, 2009). */
const deficiencies = {
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
  none: [1, 0, 0, 0, 1, 0, 0, 0, 1],
} as const;

function see(color: string, matrix: readonly number[]): readonly [number, number, number] {
  const light = toLight(color);
  const row = (at: number) => light.reduce((sum, channel, index) => sum + channel * (matrix[at * 3 + index] ?? 0), 0);
  return lightToOklab([row(0), row(1), row(2)]);
}

const measure = (one: readonly number[], other: readonly number[]) =>
  Math.hypot(...one.map((value, index) => value - (other[index] ?? 0)));

describe('colour ramps', () => {
  it.each(ramps)('$id is distinguishable with every colour vision deficiency', (ramp) => {
    for (const [name, matrix] of Object.entries(deficiencies)) {
      const seen = createColors(ramp, ramp.kind === 'categories' ? ramp.colors.length : 7).map((color) =>
        see(color, matrix),
      );
      for (const [index, one] of seen.entries()) {
        for (const [place, other] of seen.entries()) {
          if (place <= index) continue;
          // A difference of 0.02 is just noticeable.
          expect([name, index, place, measure(one, other) > 0.045]).toEqual([name, index, place, true]);
        }
      }
      if (ramp.kind === 'sequential') {
        expect(seen.every(([lightness], index) => index === 0 || lightness < (seen[index - 1]?.[0] ?? 0))).toBe(true);
      }
    }
  });

  it('have the wanted number of colours, in either order', () => {
    const [ramp] = ramps;
    const colors = ramp && createColors(ramp, 5);

    expect(colors).toEqual(ramp?.colors);
    expect(ramp && createColors(ramp, 5, true)).toEqual(ramp?.colors.toReversed());
    expect(ramp && createColors(ramp, 1)).toHaveLength(1);
    expect(ramps.every((each) => createColors(each, 12).every((color) => /^#[\da-f]{6}$/.test(color)))).toBe(true);
  });
});

/** Random symbolizers that a version of SLD can write. */
import fc from 'fast-check';
import type {
  ColorMap,
  ContrastEnhancement,
  Fill,
  Font,
  ForeignElement,
  Graphic,
  GraphicSource,
  GraphicSymbol,
  Halo,
  LabelPlacement,
  Point,
  Stroke,
  Symbolizer,
  VendorOption,
} from '../../../src/styling/model/model.ts';
import type { SldVersion } from '../../../src/styling/sld/document/sld-version.ts';
import { element, interpolate, parameter, recode } from './expressions.ts';
import { anyText, nonNegative, number, partial, tidyText, word } from './texts.ts';

const length = parameter(nonNegative.map(String));
const offset = parameter(number.map(String));
const share = parameter(fc.constantFrom('0', '0.25', '1', '1.0'));
const color = parameter(fc.constantFrom('#FF0000', '#0af', 'red', '#abcdef'));
const text = parameter(anyText);

const point: fc.Arbitrary<Point> = fc.record({ x: offset, y: offset });

export const vendorOptions: fc.Arbitrary<readonly VendorOption[]> = fc.array(
  fc.record({ name: anyText, value: text }),
  { minLength: 1, maxLength: 3 },
);

export const foreignElement: fc.Arbitrary<ForeignElement> = fc.letrec<{ element: ForeignElement }>((tie) => ({
  element: fc.record({
    kind: fc.constant('element' as const),
    name: word,
    namespace: fc.constantFrom('', 'http://www.w3.org/2000/svg', 'http://www.opengis.net/sld'),
    attributes: fc.uniqueArray(
      fc.record({
        name: word,
        namespace: fc.constantFrom('', 'http://www.w3.org/1999/xlink', 'urn:example'),
        value: anyText,
      }),
      { maxLength: 3, selector: ({ name, namespace }) => `${namespace} ${name}` },
    ),
    children: fc.oneof(
      { maxDepth: 2, depthIdentifier: 'foreign' },
      anyText.map((value) => (value === '' ? [] : [{ kind: 'text' as const, text: value }])),
      fc.array(tie('element'), { maxLength: 2 }),
    ),
  }),
})).element;

export function stylePieces(version: SldVersion) {
  const isNew = version === '1.1.0';
  /** Options that only Symbology Encoding supports. */
  const onlyNew = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
    isNew ? fc.option(arbitrary, { nil: undefined }) : fc.constant(undefined);

  const source: fc.Arbitrary<GraphicSource> = fc.oneof(
    fc.record({ kind: fc.constant('online' as const), href: fc.webUrl() }),
    fc.record({
      kind: fc.constant('inlineBase64' as const),
      base64: fc.base64String({ minLength: 4, maxLength: 16 }),
    }),
    fc.record({ kind: fc.constant('inlineXml' as const), element: foreignElement }),
  );

  const pieces = fc.letrec<{ fill: Fill; stroke: Stroke; graphic: Graphic; symbol: GraphicSymbol }>((tie) => ({
    graphic: fc
      .tuple(
        fc.array(tie('symbol'), { maxLength: 2 }),
        partial<Omit<Graphic, 'kind' | 'symbols'>>({
          opacity: share,
          size: length,
          rotation: parameter(number.map(String)),
          anchorPoint: point,
          displacement: point,
          parameters: vendorOptions,
          vendorOptions,
        }),
      )
      .map(([symbols, rest]): Graphic => ({ kind: 'graphic', symbols, ...rest })),
    symbol: fc.oneof(
      { maxDepth: 1, depthIdentifier: 'graphic' },
      fc.record({ kind: fc.constant('mark' as const), wellKnownName: fc.option(text, { nil: undefined }) }),
      fc
        .record({
          source,
          format: tidyText,
          colorReplacements: onlyNew(fc.array(recode, { minLength: 1, maxLength: 2 })),
        })
        .map((rest): GraphicSymbol => ({ kind: 'externalGraphic', ...rest })),
      fc
        .record({
          wellKnownName: fc.option(text, { nil: undefined }),
          fill: fc.option(tie('fill'), { nil: undefined }),
          stroke: fc.option(tie('stroke'), { nil: undefined }),
          externalMark: onlyNew(
            fc.record({ source, format: tidyText, index: fc.option(fc.nat(999), { nil: undefined }) }),
          ),
        })
        .map(
          ({ wellKnownName, ...rest }): GraphicSymbol => ({
            kind: 'mark',
            ...rest,
            ...(rest.externalMark === undefined ? { wellKnownName } : {}),
          }),
        ),
    ),
    fill: partial<Omit<Fill, 'kind'>>({ graphicFill: tie('graphic'), color, opacity: share }).map(
      (rest): Fill => ({ kind: 'fill', ...rest }),
    ),
    stroke: partial<Omit<Stroke, 'kind'>>({
      graphicFill: tie('graphic'),
      graphicStroke: fc.record({
        graphic: tie('graphic'),
        initialGap: onlyNew(offset),
        gap: onlyNew(offset),
        perpendicularOffset: onlyNew(offset),
      }),
      color,
      opacity: share,
      width: length,
      lineJoin: parameter(fc.constantFrom('mitre', 'round', 'bevel')),
      lineCap: parameter(fc.constantFrom('butt', 'round', 'square')),
      dashArray: fc.array(
        fc.oneof(
          nonNegative.map((value) => ({ kind: 'literal' as const, value: String(value) })),
          element.filter(({ kind }) => kind !== 'literal'),
        ),
        { minLength: 1, maxLength: 4 },
      ),
      dashOffset: offset,
    }).map((rest): Stroke => ({ kind: 'stroke', ...rest })),
  }));
  return { ...pieces, onlyNew, isNew };
}

export function symbolizer(version: SldVersion): fc.Arbitrary<Symbolizer> {
  const { fill, stroke, graphic, onlyNew, isNew } = stylePieces(version);
  const base = fc.record({
    name: onlyNew(tidyText),
    title: onlyNew(tidyText),
    abstract: onlyNew(tidyText),
    baseSymbolizer: onlyNew(fc.webUrl()),
    geometry: fc.option(element, { nil: undefined }),
    uom: fc.constantFrom(undefined, 'pixel' as const, 'metre' as const, 'foot' as const),
    vendorOptions: fc.option(vendorOptions, { nil: undefined }),
  });

  const font: fc.Arbitrary<Font> = fc
    .tuple(
      fc.array(text, { maxLength: 2 }),
      partial<Omit<Font, 'kind' | 'families'>>({
        style: parameter(fc.constantFrom('normal', 'italic', 'oblique')),
        weight: parameter(fc.constantFrom('normal', 'bold', '300')),
        size: length,
      }),
    )
    .map(([families, rest]) => ({ kind: 'font', families, ...rest }));
  const halo: fc.Arbitrary<Halo> = partial<Omit<Halo, 'kind'>>({ radius: length, fill }).map((rest) => ({
    kind: 'halo',
    ...rest,
  }));
  const placement: fc.Arbitrary<LabelPlacement> = fc.oneof(
    partial({ anchorPoint: point, displacement: point, rotation: parameter(number.map(String)) }).map((rest) => ({
      kind: 'pointPlacement' as const,
      ...rest,
    })),
    fc
      .record({
        perpendicularOffset: fc.option(offset, { nil: undefined }),
        isRepeated: onlyNew(fc.boolean()),
        initialGap: onlyNew(offset),
        gap: onlyNew(offset),
        isAligned: onlyNew(fc.boolean()),
        generalizeLine: onlyNew(fc.boolean()),
      })
      .map((rest) => ({ kind: 'linePlacement' as const, ...rest })),
  );
  const contrast: fc.Arbitrary<ContrastEnhancement> = fc
    .record({
      method: fc.constantFrom(
        undefined,
        'normalize' as const,
        'histogram' as const,
        'logarithmic' as const,
        'exponential' as const,
      ),
      vendorOptions: fc.option(vendorOptions, { nil: undefined }),
      gamma: fc.option(length, { nil: undefined }),
    })
    .map(({ method, vendorOptions: options, gamma }) => ({
      kind: 'contrastEnhancement',
      method,
      vendorOptions: method === undefined ? undefined : options,
      gamma,
    }));
  const channel = fc.record({ sourceName: text, contrastEnhancement: fc.option(contrast, { nil: undefined }) });
  const entryValue = (values: readonly string[]) =>
    fc.oneof(
      fc.constantFrom(...values).map((value) => ({ kind: 'literal' as const, value })),
      fc.constant({ kind: 'embedded' as const, text: ['$', "{env('c', '#FF0000')}"].join('') }),
    );
  const entries = fc.record({
    kind: fc.constant('entries' as const),
    type: fc.constantFrom('ramp' as const, 'intervals' as const, 'values' as const),
    extended: fc.constantFrom(undefined, true),
    entries: fc.array(
      fc.record({
        color: entryValue(['#000000', '#FFFFFF']),
        quantity: fc.option(entryValue(['1', '-2.5e3']), { nil: undefined }),
        opacity: fc.option(entryValue(['0', '0.5']), { nil: undefined }),
        label: fc.option(anyText, { nil: undefined }),
      }),
      { maxLength: 3 },
    ),
  });
  const colorMap: fc.Arbitrary<ColorMap> = isNew
    ? fc.oneof(
        entries,
        interpolate.map((call) => ({ kind: 'colorFunction' as const, function: call })),
      )
    : entries;
  const createKind = <K extends Symbolizer['kind']>(kind: K) => fc.constant({ kind });
  const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

  const line = fc
    .tuple(createKind('lineSymbolizer'), base, fc.record({ stroke: maybe(stroke), perpendicularOffset: maybe(offset) }))
    .map((parts) => Object.assign({}, ...parts) as Symbolizer & { kind: 'lineSymbolizer' });
  const polygon = fc
    .tuple(
      createKind('polygonSymbolizer'),
      base,
      fc.record({
        fill: maybe(fill),
        stroke: maybe(stroke),
        displacement: maybe(point),
        perpendicularOffset: maybe(offset),
      }),
    )
    .map((parts) => Object.assign({}, ...parts) as Symbolizer & { kind: 'polygonSymbolizer' });

  return fc.oneof(
    fc
      .tuple(createKind('pointSymbolizer'), base, fc.record({ graphic: maybe(graphic) }))
      .map((parts) => Object.assign({}, ...parts) as Symbolizer),
    line,
    polygon,
    fc
      .tuple(
        createKind('textSymbolizer'),
        base,
        fc.record({
          label: maybe(text),
          font: maybe(font),
          placement: maybe(placement),
          halo: maybe(halo),
          fill: maybe(fill),
          graphic: maybe(graphic),
          priority: maybe(offset),
          snippet: maybe(text),
          featureDescription: maybe(text),
          otherText: maybe(fc.record({ target: anyText, text })),
        }),
      )
      .map((parts) => Object.assign({}, ...parts) as Symbolizer),
    fc
      .tuple(
        createKind('rasterSymbolizer'),
        base,
        fc.record({
          opacity: maybe(share),
          channelSelection: maybe(
            fc.oneof(
              fc.record({
                kind: fc.constant('rgbChannels' as const),
                red: channel,
                green: channel,
                blue: channel,
              }),
              fc.record({ kind: fc.constant('grayChannel' as const), gray: channel }),
            ),
          ),
          overlapBehavior: fc.constantFrom(undefined, 'latestOnTop', 'earliestOnTop', 'average', 'random'),
          colorMap: maybe(colorMap),
          contrastEnhancement: maybe(contrast),
          shadedRelief: maybe(
            fc.record({
              kind: fc.constant('shadedRelief' as const),
              brightnessOnly: maybe(fc.boolean()),
              reliefFactor: maybe(offset),
            }),
          ),
          imageOutline: maybe(fc.oneof(line, polygon)),
        }),
      )
      .map((parts) => Object.assign({}, ...parts) as Symbolizer),
  );
}

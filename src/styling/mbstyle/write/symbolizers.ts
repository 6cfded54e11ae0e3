/** Writes symbolizers as layers: type, layout and paint. */
import type { Expression } from '../../../filter/model/expression.ts';
import { createLiteral, readLiteralNumber, readLiteralText } from '../../../filter/model/literal.ts';
import { hideSecrets } from '../../graphics/hide-secrets.ts';
import { parseSpriteAddress } from '../../graphics/sprite-address.ts';
import { DEFAULT_MARK_PIXELS } from '../../legend/symbols/well-known-marks.ts';
import { addDefaultPaint } from '../../model/default-paint.ts';
import { DEFAULT_FONT_PIXELS, PIXELS_WITHOUT_FONT } from '../../model/default-sizes.ts';
import type { Fill, Graphic, Stroke, VendorOption } from '../../model/paint.ts';
import type { Font, LabelPlacement, PointSymbolizer, Symbolizer, TextSymbolizer } from '../../model/symbolizer.ts';
import { add, multiply } from '../common/arithmetic.ts';
import type { OutputKind } from '../common/output-kind.ts';
import { type Json, writeValue } from './expressions.ts';
import type { MbWriteContext } from './write-context.ts';

export interface WrittenLayer {
  readonly type: 'fill' | 'line' | 'circle' | 'symbol' | 'raster';
  readonly layout: Readonly<Record<string, Json>>;
  readonly paint: Readonly<Record<string, Json>>;
}

const knownOptions: ReadonlySet<string> = new Set([
  ...['followline', 'repeat', 'autowrap', 'conflictresolution', 'spacearound', 'charspacing', 'maxangledelta'],
  ...['forcelefttoright', 'group', 'partials', 'goodnessoffit', 'maxdisplacement', 'labelobstacle'],
]);

export function writeSymbolizer(writing: MbWriteContext, symbolizer: Symbolizer): readonly WrittenLayer[] {
  if (symbolizer.uom !== undefined && symbolizer.uom !== 'pixel') writing.reportLoss(`sizes in ${symbolizer.uom}`);
  if (symbolizer.geometry !== undefined && symbolizer.geometry.kind !== 'property')
    writing.reportLoss('computed geometries');
  for (const { name } of symbolizer.vendorOptions ?? [])
    if (!knownOptions.has(name.toLowerCase())) writing.reportLoss(`the vendor option '${name}'`);
  switch (symbolizer.kind) {
    case 'polygonSymbolizer':
      if (symbolizer.perpendicularOffset !== undefined) writing.reportLoss('offsets of polygons');
      return [
        ...(symbolizer.fill === undefined ? [] : [writeFillLayer(writing, symbolizer.fill)]),
        ...(symbolizer.stroke === undefined ? [] : writeStrokeLayer(writing, symbolizer.stroke, undefined)),
      ];
    case 'lineSymbolizer':
      return symbolizer.stroke === undefined
        ? []
        : writeStrokeLayer(writing, symbolizer.stroke, symbolizer.perpendicularOffset);
    case 'pointSymbolizer':
      return writePoint(writing, symbolizer);
    case 'textSymbolizer':
      return writeText(writing, symbolizer);
    case 'rasterSymbolizer': {
      const { colorMap, channelSelection, contrastEnhancement, shadedRelief } = symbolizer;
      if ([colorMap, channelSelection, contrastEnhancement, shadedRelief].some((each) => each !== undefined))
        writing.reportLoss('colour maps, channels, contrast and relief of rasters');
      return [
        { type: 'raster', layout: {}, paint: collect(writing, [['raster-opacity', symbolizer.opacity, 'number']]) },
      ];
    }
  }
}

type Property = readonly [name: string, value: Expression | undefined, kind: OutputKind];

function collect(writing: MbWriteContext, properties: readonly Property[]): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    properties.flatMap(([name, value, kind]) => {
      const written = value && writeValue(writing, value, kind);
      return written === undefined ? [] : [[name, written]];
    }),
  );
}

function writeFillLayer(writing: MbWriteContext, { graphicFill, color, opacity }: Fill): WrittenLayer {
  if (graphicFill !== undefined) writing.reportLoss('patterns of fills');
  const paint = collect(writing, [
    ['fill-color', color ?? createLiteral('#808080'), 'color'],
    ['fill-opacity', opacity, 'number'],
  ]);
  return { type: 'fill', layout: {}, paint };
}

function writeStrokeLayer(
  writing: MbWriteContext,
  stroke: Stroke,
  offset: Expression | undefined,
): readonly WrittenLayer[] {
  if (stroke.graphicStroke !== undefined || stroke.graphicFill !== undefined) {
    writing.reportLoss('graphics along lines');
    return [];
  }
  const join = readLiteralText(stroke.lineJoin);
  const dashes = writeDashes(writing, stroke);
  return [
    {
      type: 'line',
      layout: {
        ...collect(writing, [['line-cap', stroke.lineCap, 'text']]),
        ...(join === undefined || join === 'mitre' ? {} : { 'line-join': join }),
      },
      paint: {
        ...collect(writing, [
          ['line-color', stroke.color ?? createLiteral('#000000'), 'color'],
          ['line-width', stroke.width, 'number'],
          ['line-opacity', stroke.opacity, 'number'],
          ['line-offset', offset && multiply(offset, createLiteral('-1')), 'number'],
        ]),
        ...(dashes === undefined ? {} : { 'line-dasharray': dashes }),
      },
    },
  ];
}

/** Lengths of dashes are multiples of the width. */
function writeDashes(writing: MbWriteContext, { dashArray, width }: Stroke): readonly number[] | undefined {
  if (dashArray === undefined) return undefined;
  const unit = width === undefined ? 1 : readLiteralNumber(width);
  const lengths = dashArray.map(readLiteralNumber);
  if (unit === undefined || unit <= 0 || !lengths.every((each) => each !== undefined)) {
    writing.reportLoss('dashes of computed lengths or widths');
    return undefined;
  }
  return lengths.map((each) => Number((each / unit).toFixed(4)));
}

/** The outline of a mark is centred on its size, that of a circle is outside the radius. */
function writePoint(writing: MbWriteContext, { graphic }: PointSymbolizer): readonly WrittenLayer[] {
  const [symbol] = graphic?.symbols ?? [];
  if (graphic === undefined) return [];
  if (symbol?.kind === 'externalGraphic') return [writeIcon(writing, graphic)];
  const name = readLiteralText(symbol?.wellKnownName) ?? 'square';
  if (name !== 'circle') writing.reportLoss(`the mark '${name}', which becomes a circle`);
  const size = graphic.size ?? createLiteral(DEFAULT_MARK_PIXELS);
  const { fill, stroke } = addDefaultPaint(symbol ?? { kind: 'mark' });
  const width = stroke === undefined ? undefined : (stroke.width ?? createLiteral('1'));
  const inner = width === undefined ? size : add(size, multiply(width, createLiteral('-1')) ?? width);
  const translate = writeTranslate(writing, graphic);
  const paint = {
    ...collect(writing, [
      ['circle-radius', multiply(inner, createLiteral('0.5')), 'number'],
      ['circle-color', fill?.color ?? createLiteral('#808080'), 'color'],
      ['circle-opacity', multiply(graphic.opacity, fill === undefined ? createLiteral('0') : fill.opacity), 'number'],
      ['circle-stroke-width', width, 'number'],
      ['circle-stroke-color', stroke?.color, 'color'],
      ['circle-stroke-opacity', stroke && multiply(graphic.opacity, stroke.opacity), 'number'],
    ]),
    ...(translate === undefined ? {} : { 'circle-translate': translate }),
  };
  return [{ type: 'circle', layout: {}, paint }];
}

function writeTranslate(writing: MbWriteContext, { displacement }: Graphic): readonly number[] | undefined {
  if (displacement === undefined) return undefined;
  const [x, y] = [readLiteralNumber(displacement.x), readLiteralNumber(displacement.y)];
  if (x !== undefined && y !== undefined) return [x, -y + 0];
  writing.reportLoss('computed displacements');
  return undefined;
}

function writeIcon(writing: MbWriteContext, graphic: Graphic): WrittenLayer {
  const [symbol] = graphic.symbols;
  const source = symbol?.kind === 'externalGraphic' ? symbol.source : undefined;
  const href = source?.kind === 'online' ? hideSecrets(source.href) : '';
  const name = parseSpriteAddress(href)?.icon ?? (href.split('/').at(-1) ?? '').replace(/\.\w+$/, '');
  writing.reportLoss(`the picture '${href.slice(0, 60)}', which must be in a sprite`);
  return {
    type: 'symbol',
    layout: {
      'icon-image': name,
      'icon-allow-overlap': true,
      ...collect(writing, [['icon-rotate', graphic.rotation, 'number']]),
    },
    paint: collect(writing, [['icon-opacity', graphic.opacity, 'number']]),
  };
}

function writeText(writing: MbWriteContext, symbolizer: TextSymbolizer): readonly WrittenLayer[] {
  const { label, font, halo, fill, placement, vendorOptions = [] } = symbolizer;
  if (label === undefined) return [];
  if (symbolizer.graphic !== undefined) writing.reportLoss('shields of labels');
  const size = font?.size ?? createLiteral(font === undefined ? PIXELS_WITHOUT_FONT : DEFAULT_FONT_PIXELS);
  return [
    {
      type: 'symbol',
      layout: {
        ...collect(writing, [
          ['text-field', label, 'text'],
          ['text-size', size, 'number'],
        ]),
        ...(font === undefined ? {} : writeFont(writing, font)),
        ...writePlacement(writing, placement, size),
        ...writeOptions(vendorOptions, size, placement),
      },
      paint: collect(writing, [
        ['text-color', fill?.color ?? createLiteral('#000000'), 'color'],
        ['text-opacity', fill?.opacity, 'number'],
        ['text-halo-width', halo && (halo.radius ?? createLiteral('1')), 'number'],
        ['text-halo-color', halo && (halo.fill?.color ?? createLiteral('#FFFFFF')), 'color'],
      ]),
    },
  ];
}

const weightNames: ReadonlyMap<string, string> = new Map([
  ['100', 'Thin'],
  ['200', 'Light'],
  ['300', 'Light'],
  ['500', 'Medium'],
  ['600', 'SemiBold'],
  ['700', 'Bold'],
  ['bold', 'Bold'],
  ['800', 'Bold'],
  ['900', 'Black'],
]);

/** Writes names such as `Arial Bold Italic`: a family, a weight and a style. */
function writeFont(writing: MbWriteContext, { families, weight, style }: Font): Readonly<Record<string, Json>> {
  const names = families.map(readLiteralText);
  const [thickness, slant] = [weight, style].map((each) => each && readLiteralText(each)?.toLowerCase());
  const isComputed = [names, weight && [thickness], style && [slant]].some((each) => each?.includes(undefined));
  if (isComputed) writing.reportLoss('computed fonts');
  const isSlanted = slant === 'italic' || slant === 'oblique';
  const face = [weightNames.get(thickness ?? ''), isSlanted ? 'Italic' : undefined].filter(
    (each) => each !== undefined,
  );
  const written = names.filter((each) => each !== undefined);
  if (written.length > 0)
    return { 'text-font': written.map((name) => `${name} ${face.length === 0 ? 'Regular' : face.join(' ')}`) };
  if (face.length > 0) writing.reportLoss('weights and styles of fonts without a family');
  return {};
}

function findOption(options: readonly VendorOption[], name: string): Expression | undefined {
  return options.find((each) => each.name.toLowerCase() === name)?.value;
}

function writeOptions(
  options: readonly VendorOption[],
  size: Expression,
  placement: LabelPlacement | undefined,
): Readonly<Record<string, Json>> {
  const repeat = readLiteralNumber(findOption(options, 'repeat'));
  const wrap = readLiteralNumber(findOption(options, 'autowrap'));
  const ems = readLiteralNumber(size);
  const isLine = placement?.kind === 'linePlacement';
  const isFree = readLiteralText(findOption(options, 'conflictresolution')) === 'false';
  return {
    ...(isLine ? { 'symbol-placement': repeat === undefined || repeat <= 0 ? 'line-center' : 'line' } : {}),
    ...(isLine && repeat !== undefined && repeat > 0 ? { 'symbol-spacing': repeat } : {}),
    // Labels are not wrapped by default.
    ...(isLine ? {} : { 'text-max-width': wrap === undefined || ems === undefined ? 100 : wrap / ems }),
    ...(isFree ? { 'text-allow-overlap': true } : {}),
  };
}

/**
 * Anchors are one of nine points; displacements are multiples of the size, which is the height of a line. The width of
 * the text is unknown.
 */
function writePlacement(
  writing: MbWriteContext,
  placement: LabelPlacement | undefined,
  size: Expression,
): Readonly<Record<string, Json>> {
  if (placement?.kind === 'linePlacement') return {};
  const { anchorPoint, displacement, rotation } = placement ?? {};
  const [x = 0, y = 0.5] = [readLiteralNumber(anchorPoint?.x), readLiteralNumber(anchorPoint?.y)];
  if (x < 0 || x > 1) writing.reportLoss('anchors to the left or right of labels');
  const nearest = y > 0.75 ? 1 : y < 0.25 ? 0 : 0.5;
  const vertical = nearest === 1 ? 'top' : nearest === 0 ? 'bottom' : '';
  const horizontal = x > 0.75 ? 'right' : x < 0.25 ? 'left' : '';
  const em = readLiteralNumber(size) ?? DEFAULT_FONT_PIXELS;
  const [right = 0, up = 0] = [readLiteralNumber(displacement?.x), readLiteralNumber(displacement?.y)];
  const offset = [right / em, y - nearest - up / em].map((each) => Number(each.toFixed(4)) + 0);
  return {
    'text-anchor': [vertical, horizontal].filter((part) => part !== '').join('-') || 'center',
    ...(offset.every((each) => each === 0) ? {} : { 'text-offset': offset }),
    ...collect(writing, [['text-rotate', rotation, 'number']]),
  };
}

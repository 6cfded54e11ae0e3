/** Reads symbolizers. The keys are the names of SLD in lower case, with hyphens. */
import { createLiteral } from '../../filter/model/literal.ts';
import { omitUndefined } from '../css/translate/omit-undefined.ts';
import { isList } from '../documents/document-value.ts';
import type { ColorMapEntry, ColorMapType } from '../model/color-map.ts';
import type { Fill, Graphic, GraphicSymbol, Stroke } from '../model/paint.ts';
import type {
  Channel,
  ChannelSelection,
  ContrastEnhancement,
  Font,
  Halo,
  LabelPlacement,
  LineSymbolizer,
  PointSymbolizer,
  PolygonSymbolizer,
  RasterSymbolizer,
  Symbolizer,
  SymbolizerBase,
  TextSymbolizer,
  UnitOfMeasure,
} from '../model/symbolizer.ts';
import type { Members } from './members.ts';

const readers: ReadonlyMap<string, (members: Members) => Symbolizer> = new Map<
  string,
  (members: Members) => Symbolizer
>([
  ['point', readPoint],
  ['line', readLine],
  ['polygon', readPolygon],
  ['text', readText],
  ['raster', readRaster],
]);

export const symbolizerNames: readonly string[] = [...readers.keys()];

/** Each item has one key, the type of the symbolizer. */
export function readSymbolizers(item: Members): readonly Symbolizer[] {
  const found = symbolizerNames.flatMap((name) => {
    if (!item.has(name)) return [];
    const members = item.object(name);
    const read = readers.get(name);
    if (members === undefined || read === undefined) return [];
    const symbolizer = read(members);
    members.reportUnused();
    return [symbolizer];
  });
  return found;
}

function readBase(members: Members): Omit<SymbolizerBase, 'title' | 'abstract'> {
  const uom = members.word('uom');
  return omitUndefined({
    geometry: members.expression('geometry'),
    uom: uom === undefined ? undefined : toUnit(uom),
    ...members.vendorOptions(),
  });
}

function toUnit(text: string): UnitOfMeasure | undefined {
  return (['pixel', 'metre', 'foot'] as const).find((unit) =>
    text.toLowerCase().replace('meter', 'metre').includes(unit),
  );
}

function readFill(members: Members): Fill | undefined {
  if (!members.hasPrefix('fill-')) return undefined;
  const graphic = members.object('fill-graphic');
  return omitUndefined<Fill>({
    kind: 'fill',
    graphicFill: graphic && readGraphic(graphic),
    color: members.color('fill-color'),
    opacity: members.expression('fill-opacity'),
  });
}

function readStroke(members: Members): Stroke | undefined {
  if (!members.hasPrefix('stroke-')) return undefined;
  const along = members.object('stroke-graphic') ?? members.object('stroke-graphic-stroke');
  const filled = members.object('stroke-graphic-fill');
  return omitUndefined<Stroke>({
    kind: 'stroke',
    graphicStroke: along && { graphic: readGraphic(along) },
    graphicFill: filled && readGraphic(filled),
    color: members.color('stroke-color'),
    opacity: members.expression('stroke-opacity'),
    width: members.expression('stroke-width'),
    lineJoin: members.expression('stroke-linejoin'),
    lineCap: members.expression('stroke-linecap'),
    dashArray: members.expressions('stroke-dasharray'),
    dashOffset: members.expression('stroke-dashoffset'),
  });
}

function readGraphic(members: Members): Graphic {
  const symbols = members.objects('symbols').flatMap(readSymbol);
  const graphic = omitUndefined<Graphic>({
    kind: 'graphic',
    symbols,
    opacity: members.expression('opacity'),
    size: members.expression('size'),
    rotation: members.expression('rotation'),
    anchorPoint: members.point('anchor'),
    displacement: members.point('displacement'),
  });
  members.value('gap');
  members.value('initial-gap');
  return graphic;
}

function readSymbol(item: Members): readonly GraphicSymbol[] {
  const mark = item.object('mark');
  const external = item.object('external');
  const symbols: GraphicSymbol[] = [];
  if (mark !== undefined) {
    symbols.push(
      omitUndefined({
        kind: 'mark' as const,
        wellKnownName: mark.expression('shape'),
        fill: readFill(mark),
        stroke: readStroke(mark),
      }),
    );
    mark.reportUnused();
  }
  if (external !== undefined) {
    const href = external.word('url') ?? '';
    const byName = /\.svg$/i.test(href) ? 'image/svg+xml' : 'image/png';
    symbols.push({
      kind: 'externalGraphic',
      source: { kind: 'online', href },
      format: external.word('format') ?? byName,
    });
    external.reportUnused();
  }
  item.reportUnused();
  return symbols;
}

function readPoint(members: Members): PointSymbolizer {
  return { kind: 'pointSymbolizer', ...readBase(members), graphic: readGraphic(members) };
}

function readLine(members: Members): LineSymbolizer {
  return omitUndefined<LineSymbolizer>({
    kind: 'lineSymbolizer',
    ...readBase(members),
    stroke: readStroke(members) ?? { kind: 'stroke' },
    perpendicularOffset: members.expression('offset'),
  });
}

function readPolygon(members: Members): PolygonSymbolizer {
  return omitUndefined<PolygonSymbolizer>({
    kind: 'polygonSymbolizer',
    ...readBase(members),
    fill: readFill(members),
    stroke: readStroke(members),
    displacement: members.point('displacement'),
    perpendicularOffset: members.expression('offset'),
  });
}

function readText(members: Members): TextSymbolizer {
  const graphic = members.object('graphic');
  const base = readBase(members);
  const variation = members.expression('font-variation');
  return omitUndefined<TextSymbolizer>({
    kind: 'textSymbolizer',
    ...base,
    vendorOptions:
      variation === undefined
        ? base.vendorOptions
        : [...(base.vendorOptions ?? []), { name: 'font-variation', value: variation }],
    label: members.expression('label'),
    font: readFont(members),
    placement: readPlacement(members),
    halo: readHalo(members),
    fill: readFill(members),
    graphic: graphic && readGraphic(graphic),
    priority: members.expression('priority'),
  });
}

function readFont(members: Members): Font | undefined {
  if (!members.hasPrefix('font-')) return undefined;
  const family = members.value('font-family');
  const families = (isList(family) ? family : family === undefined ? [] : [family]).map((each) =>
    createLiteral(String(each)),
  );
  return omitUndefined<Font>({
    kind: 'font',
    families,
    style: members.expression('font-style'),
    weight: members.expression('font-weight'),
    size: members.expression('font-size'),
  });
}

function readHalo(members: Members): Halo | undefined {
  const halo = members.object('halo');
  if (halo === undefined) return undefined;
  const read = omitUndefined<Halo>({ kind: 'halo', radius: halo.expression('radius'), fill: readFill(halo) });
  halo.reportUnused();
  return read;
}

function readPlacement(members: Members): LabelPlacement | undefined {
  const placement = members.word('placement');
  const anchorPoint = members.point('anchor');
  const displacement = members.point('displacement');
  const rotation = members.expression('rotation');
  const offset = members.expression('offset');
  if (placement === 'line')
    return omitUndefined<LabelPlacement>({ kind: 'linePlacement', perpendicularOffset: offset });
  if (anchorPoint === undefined && displacement === undefined && rotation === undefined) return undefined;
  return omitUndefined<LabelPlacement>({ kind: 'pointPlacement', anchorPoint, displacement, rotation });
}

function readRaster(members: Members): RasterSymbolizer {
  const contrast = members.object('contrast-enhancement');
  return omitUndefined<RasterSymbolizer>({
    kind: 'rasterSymbolizer',
    ...readBase(members),
    opacity: members.expression('opacity'),
    channelSelection: readChannels(members),
    colorMap: readColorMap(members),
    contrastEnhancement: contrast && readContrast(contrast),
  });
}

function readChannels(members: Members): ChannelSelection | undefined {
  const channels = members.object('channels');
  if (channels === undefined) return undefined;
  const [gray, red, green, blue] = ['gray', 'red', 'green', 'blue'].map((name) => readChannel(channels, name));
  channels.reportUnused();
  if (gray !== undefined) return { kind: 'grayChannel', gray };
  if (red !== undefined && green !== undefined && blue !== undefined) return { kind: 'rgbChannels', red, green, blue };
  channels.complaints.add(channels.path, "expected 'gray', or 'red', 'green' and 'blue'");
  return undefined;
}

function readChannel(channels: Members, name: string): Channel | undefined {
  const value = channels.value(name);
  if (value === undefined) return undefined;
  if (typeof value !== 'object') return { sourceName: createLiteral(String(value)) };
  const members = channels.object(name);
  const contrast = members?.object('contrast-enhancement');
  return omitUndefined<Channel>({
    sourceName: members?.expression('name') ?? createLiteral('1'),
    contrastEnhancement: contrast && readContrast(contrast),
  });
}

function readContrast(members: Members): ContrastEnhancement {
  const mode = members.word('mode')?.toLowerCase();
  const method = (['normalize', 'histogram', 'logarithmic', 'exponential'] as const).find((each) => each === mode);
  return omitUndefined<ContrastEnhancement>({
    kind: 'contrastEnhancement',
    method,
    gamma: members.expression('gamma'),
  });
}

/** Each entry is a colour, an opacity, a value and a label. */
function readColorMap(members: Members): RasterSymbolizer['colorMap'] {
  const map = members.object('color-map');
  if (map === undefined) return undefined;
  const type = (map.word('type') ?? 'ramp') as ColorMapType;
  const entries = map.value('entries');
  if (!['ramp', 'intervals', 'values'].includes(type) || !isList(entries)) {
    map.complaints.add(map.path, "expected a 'type' (ramp, intervals or values) and 'entries'");
    return undefined;
  }
  map.reportUnused();
  return { kind: 'entries', type, entries: entries.flatMap((entry) => readEntry(map, entry)) };
}

function readEntry(map: Members, entry: unknown): readonly ColorMapEntry[] {
  const [color, opacity, quantity, label] = (Array.isArray(entry) ? entry : []).map((each) => each ?? '');
  if (color === undefined || quantity === undefined) {
    map.complaints.add(map.pathOf('entries'), "expected entries such as ['#FF0000', 1, 100, label]");
    return [];
  }
  return [
    omitUndefined<ColorMapEntry>({
      color: createLiteral(String(color)),
      quantity: createLiteral(String(quantity)),
      opacity: opacity === '' || opacity === undefined ? undefined : createLiteral(String(opacity)),
      label: label === '' || label === undefined ? undefined : String(label),
    }),
  ];
}

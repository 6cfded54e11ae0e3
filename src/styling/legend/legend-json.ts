/** The legend of a style as a document: its rules with their filters and what they paint, for clients that draw it themselves. */
import { writeEcqlExpression, writeEcqlFilter } from '../../data/filter/ecql.ts';
import type { Expression } from '../../data/filter/expression.ts';
import type {
  ColorMap,
  EntryValue,
  Fill,
  Graphic,
  GraphicSymbol,
  Rule,
  Stroke,
  StyledLayerDescriptor,
  Symbolizer,
} from '../model.ts';
import { type RowSelection, rulesShown } from './legend-rows.ts';

type Told = Readonly<Record<string, unknown>>;

/** The rules that a picture would show, in the same order. */
export function legendOfRules(model: StyledLayerDescriptor, selection: RowSelection): readonly Told[] {
  return rulesShown(model, selection).map(({ rule }) => ruleTold(rule));
}

function ruleTold(rule: Rule): Told {
  const { filter } = rule;
  return defined({
    name: rule.name,
    title: rule.title,
    abstract: rule.abstract,
    filter: filter === undefined || filter.kind === 'else' ? undefined : `[${plainNames(writeEcqlFilter(filter))}]`,
    ElseFilter: filter?.kind === 'else' ? 'true' : undefined,
    MinScaleDenominator: rule.minScaleDenominator,
    MaxScaleDenominator: rule.maxScaleDenominator,
    symbolizers: rule.symbolizers.map(symbolizerTold),
  });
}

function symbolizerTold(symbolizer: Symbolizer): Told {
  const uom = symbolizer.uom === undefined ? {} : { uom: symbolizer.uom };
  switch (symbolizer.kind) {
    case 'pointSymbolizer':
      return { Point: { ...uom, ...graphicTold(symbolizer.graphic) } };
    case 'lineSymbolizer':
      return { Line: { ...uom, ...strokeTold(symbolizer.stroke) } };
    case 'polygonSymbolizer':
      return { Polygon: { ...uom, ...fillTold(symbolizer.fill), ...strokeTold(symbolizer.stroke) } };
    case 'textSymbolizer':
      return {
        Text: defined({
          ...uom,
          label: told(symbolizer.label),
          'font-family': symbolizer.font?.families?.map(told),
          'font-size': told(symbolizer.font?.size),
          ...fillTold(symbolizer.fill),
        }),
      };
    case 'rasterSymbolizer':
      return {
        Raster: defined({ opacity: told(symbolizer.opacity), colormap: colorMapTold(symbolizer.colorMap) }),
      };
  }
}

function fillTold(fill: Fill | undefined): Told {
  if (fill === undefined) return {};
  return defined({
    fill: fill.graphicFill === undefined ? (told(fill.color) ?? '#808080') : undefined,
    'fill-opacity': told(fill.opacity),
    'graphic-fill': fill.graphicFill && graphicTold(fill.graphicFill),
  });
}

function strokeTold(stroke: Stroke | undefined): Told {
  if (stroke === undefined) return {};
  return defined({
    stroke: told(stroke.color) ?? '#000000',
    'stroke-width': told(stroke.width) ?? '1',
    'stroke-opacity': told(stroke.opacity) ?? '1',
    'stroke-linecap': told(stroke.lineCap) ?? 'butt',
    'stroke-linejoin': told(stroke.lineJoin) ?? 'miter',
    'stroke-dasharray': stroke.dashArray?.map(told),
    'stroke-dashoffset': told(stroke.dashOffset),
    'graphic-stroke': stroke.graphicStroke && graphicTold(stroke.graphicStroke.graphic),
  });
}

function graphicTold(graphic: Graphic | undefined): Told {
  if (graphic === undefined) return {};
  return defined({
    size: told(graphic.size),
    opacity: told(graphic.opacity),
    rotation: told(graphic.rotation),
    graphics: graphic.symbols.map(symbolTold),
  });
}

function symbolTold(symbol: GraphicSymbol): Told {
  if (symbol.kind === 'mark') {
    const mark = told(symbol.wellKnownName) ?? 'square';
    return { mark, ...fillTold(symbol.fill), ...strokeTold(symbol.stroke) };
  }
  const { source, format } = symbol;
  return defined({
    'external-graphic-url': source.kind === 'online' ? source.href : undefined,
    'external-graphic-type': format,
  });
}

function colorMapTold(map: ColorMap | undefined): Told | undefined {
  if (map?.kind !== 'entries') return undefined;
  const entries = map.entries.map(({ label, quantity, color, opacity }) =>
    defined({ label, quantity: entryTold(quantity), color: entryTold(color), opacity: entryTold(opacity) }),
  );
  return { type: map.type, entries };
}

function entryTold(value: EntryValue | undefined): string | undefined {
  return value?.kind === 'embedded' ? value.text : value?.value;
}

/** A literal as it is written, anything else as ECQL in brackets. */
function told(expression: Expression | undefined): string | undefined {
  if (expression === undefined) return undefined;
  return expression.kind === 'literal' ? expression.value : `[${plainNames(writeEcqlExpression(expression))}]`;
}

const reserved =
  /^(?:and|or|not|in|is|null|like|ilike|between|include|exclude|true|false|exists|before|after|during)$/i;

/** Names without quotes where they need none, as clients of legends look for them. */
function plainNames(ecql: string): string {
  return ecql.replaceAll(/'(?:[^']|'')*'|"([A-Za-z_]\w*)"/g, (written, name: string | undefined) =>
    name === undefined || reserved.test(name) ? written : name,
  );
}

function defined(members: Told): Told {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

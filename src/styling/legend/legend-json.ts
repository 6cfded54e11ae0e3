/**
 * Builds the legend of a style as JSON: its rules with filters and symbolizers, for clients that draw it themselves.
 */
import { writeEcqlExpression, writeEcqlFilter } from '../../filter/ecql/ecql.ts';
import type { Expression } from '../../filter/model/expression.ts';
import { hideSecrets } from '../graphics/hide-secrets.ts';
import { resolveMarks } from '../graphics/resolve-marks.ts';
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
} from '../model/model.ts';
import { listVisibleRows, type RowSelection } from './legend-rows.ts';

type JsonMembers = Readonly<Record<string, unknown>>;

/** Returns the rules that a picture would show, in the same order. */
export function buildLegendJson(model: StyledLayerDescriptor, selection: RowSelection): readonly JsonMembers[] {
  return listVisibleRows(model, selection).map(({ rule }) => toRuleJson(resolveMarks(rule)));
}

function toRuleJson(rule: Rule): JsonMembers {
  const { filter } = rule;
  return omitUndefinedMembers({
    name: rule.name,
    title: rule.title,
    abstract: rule.abstract,
    filter: filter === undefined || filter.kind === 'else' ? undefined : `[${unquoteNames(writeEcqlFilter(filter))}]`,
    ElseFilter: filter?.kind === 'else' ? 'true' : undefined,
    MinScaleDenominator: rule.minScaleDenominator,
    MaxScaleDenominator: rule.maxScaleDenominator,
    symbolizers: rule.symbolizers.map(toSymbolizerJson),
  });
}

function toSymbolizerJson(symbolizer: Symbolizer): JsonMembers {
  const uom = symbolizer.uom === undefined ? {} : { uom: symbolizer.uom };
  switch (symbolizer.kind) {
    case 'pointSymbolizer':
      return { Point: { ...uom, ...toGraphicJson(symbolizer.graphic) } };
    case 'lineSymbolizer':
      return { Line: { ...uom, ...toStrokeJson(symbolizer.stroke) } };
    case 'polygonSymbolizer':
      return { Polygon: { ...uom, ...toFillJson(symbolizer.fill), ...toStrokeJson(symbolizer.stroke) } };
    case 'textSymbolizer':
      return {
        Text: omitUndefinedMembers({
          ...uom,
          label: formatExpression(symbolizer.label),
          'font-family': symbolizer.font?.families?.map(formatExpression),
          'font-size': formatExpression(symbolizer.font?.size),
          ...toFillJson(symbolizer.fill),
        }),
      };
    case 'rasterSymbolizer':
      return {
        Raster: omitUndefinedMembers({
          opacity: formatExpression(symbolizer.opacity),
          colormap: toColorMapJson(symbolizer.colorMap),
        }),
      };
  }
}

function toFillJson(fill: Fill | undefined): JsonMembers {
  if (fill === undefined) return {};
  return omitUndefinedMembers({
    fill: fill.graphicFill === undefined ? (formatExpression(fill.color) ?? '#808080') : undefined,
    'fill-opacity': formatExpression(fill.opacity),
    'graphic-fill': fill.graphicFill && toGraphicJson(fill.graphicFill),
  });
}

function toStrokeJson(stroke: Stroke | undefined): JsonMembers {
  if (stroke === undefined) return {};
  return omitUndefinedMembers({
    stroke: formatExpression(stroke.color) ?? '#000000',
    'stroke-width': formatExpression(stroke.width) ?? '1',
    'stroke-opacity': formatExpression(stroke.opacity) ?? '1',
    'stroke-linecap': formatExpression(stroke.lineCap) ?? 'butt',
    'stroke-linejoin': formatExpression(stroke.lineJoin) ?? 'miter',
    'stroke-dasharray': stroke.dashArray?.map(formatExpression),
    'stroke-dashoffset': formatExpression(stroke.dashOffset),
    'graphic-stroke': stroke.graphicStroke && toGraphicJson(stroke.graphicStroke.graphic),
  });
}

function toGraphicJson(graphic: Graphic | undefined): JsonMembers {
  if (graphic === undefined) return {};
  return omitUndefinedMembers({
    size: formatExpression(graphic.size),
    opacity: formatExpression(graphic.opacity),
    rotation: formatExpression(graphic.rotation),
    graphics: graphic.symbols.map(toSymbolJson),
  });
}

function toSymbolJson(symbol: GraphicSymbol): JsonMembers {
  if (symbol.kind === 'mark') {
    const mark = formatExpression(symbol.wellKnownName) ?? 'square';
    return { mark, ...toFillJson(symbol.fill), ...toStrokeJson(symbol.stroke) };
  }
  const { source, format } = symbol;
  return omitUndefinedMembers({
    'external-graphic-url': source.kind === 'online' ? hideSecrets(source.href) : undefined,
    'external-graphic-type': format,
  });
}

function toColorMapJson(map: ColorMap | undefined): JsonMembers | undefined {
  if (map?.kind !== 'entries') return undefined;
  const entries = map.entries.map(({ label, quantity, color, opacity }) =>
    omitUndefinedMembers({
      label,
      quantity: formatEntryValue(quantity),
      color: formatEntryValue(color),
      opacity: formatEntryValue(opacity),
    }),
  );
  return { type: map.type, entries };
}

function formatEntryValue(value: EntryValue | undefined): string | undefined {
  return value?.kind === 'embedded' ? value.text : value?.value;
}

/** Returns a literal as written, and other expressions as ECQL in brackets. */
function formatExpression(expression: Expression | undefined): string | undefined {
  if (expression === undefined) return undefined;
  return expression.kind === 'literal' ? expression.value : `[${unquoteNames(writeEcqlExpression(expression))}]`;
}

const reservedWords =
  /^(?:and|or|not|in|is|null|like|ilike|between|include|exclude|true|false|exists|before|after|during)$/i;

/** Removes unnecessary quotes of names, as clients of legends expect. */
function unquoteNames(ecql: string): string {
  return ecql.replaceAll(/'(?:[^']|'')*'|"([A-Za-z_]\w*)"/g, (written, name: string | undefined) =>
    name === undefined || reservedWords.test(name) ? written : name,
  );
}

function omitUndefinedMembers(members: JsonMembers): JsonMembers {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

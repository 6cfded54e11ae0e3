/** Writes the style model as a MapLibre style, with a list of what it cannot express. */
import type { Filter } from '../../filter/model/filter.ts';
import { joinFilters, negateFilter } from '../../filter/model/join-filters.ts';
import type { FeatureTypeStyle, Rule, StyledLayerDescriptor, UserStyle } from '../model/styled-layer-descriptor.ts';
import { toZoom } from './common/zoom.ts';
import { type Json, writeFilter } from './write/expressions.ts';
import { type WrittenLayer, writeSymbolizer } from './write/symbolizers.ts';
import { MbWriteContext } from './write/write-context.ts';

/** A layer of a MapLibre style. */
export type MbLayer = Readonly<Record<string, Json>>;

export interface WrittenStyle {
  readonly layers: readonly MbLayer[];
  /** Parts that the layers do not express. */
  readonly losses: readonly string[];
}

/** The source of the layers: its id, and the layer in its tiles. */
export interface LayerSource {
  readonly source: string;
  readonly sourceLayer?: string;
}

/** Writes the layers of one style. Ids begin with the prefix. */
export function writeStyleLayers(style: UserStyle, source: LayerSource, prefix: string): WrittenStyle {
  const writing = new MbWriteContext();
  if (style.remoteStyles !== undefined) writing.reportLoss('external styles');
  const drawn = style.featureTypeStyles.flatMap((each) => writeFeatureTypeStyle(writing, each));
  // Labels are above everything else, as on maps of the server.
  const ordered = [...drawn.filter(({ isLabel }) => !isLabel), ...drawn.filter(({ isLabel }) => isLabel)];
  const layers = ordered.map(({ layer, name }, index): MbLayer => {
    const { source: id, sourceLayer } = source;
    const isRaster = layer['type'] === 'raster';
    return {
      id: `${prefix}${index + 1}${name === undefined ? '' : ` ${name}`}`,
      ...layer,
      source: id,
      ...(sourceLayer === undefined || isRaster ? {} : { 'source-layer': sourceLayer }),
    };
  });
  return { layers, losses: writing.listLosses() };
}

/** Writes a complete document. Its source is empty: the client replaces its data. */
export function writeMbStyle(model: StyledLayerDescriptor): string {
  const written = model.layers.flatMap(({ name, styles }) =>
    styles.flatMap((style) => (style.kind === 'userStyle' ? [{ name: name ?? 'features', style }] : [])),
  );
  const parts = written.map(({ name, style }, index) =>
    writeStyleLayers(style, { source: name }, index === 0 ? '' : `${name} `),
  );
  const emptySource = { type: 'geojson', data: { type: 'FeatureCollection', features: [] } };
  const losses = [...new Set(parts.flatMap((part) => part.losses))];
  const document = {
    version: 8,
    name: model.name ?? written[0]?.style.name ?? written[0]?.name ?? 'style',
    ...(losses.length === 0 ? {} : { metadata: { losses } }),
    sources: Object.fromEntries(written.map(({ name }) => [name, emptySource])),
    layers: parts.flatMap((part) => part.layers),
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

interface DrawnLayer {
  readonly layer: MbLayer;
  readonly name: string | undefined;
  readonly isLabel: boolean;
}

function writeFeatureTypeStyle(writing: MbWriteContext, style: FeatureTypeStyle): readonly DrawnLayer[] {
  if (style.transformation !== undefined) writing.reportLoss('transformations');
  for (const { name } of style.vendorOptions ?? []) writing.reportLoss(`the vendor option '${name}'`);
  return style.rules.flatMap((rule) => {
    const filter = selectFilter(rule, style.rules);
    const written = filter && writeFilter(writing, filter);
    if (filter !== undefined && written === undefined) {
      const name = rule.name === undefined ? 'a rule' : `the rule '${rule.name}'`;
      writing.reportLoss(`${name}, which is omitted because its filter cannot be expressed`);
      return [];
    }
    return rule.symbolizers.flatMap((symbolizer) =>
      writeSymbolizer(writing, symbolizer).map(
        (layer): DrawnLayer => ({
          layer: createLayer(layer, rule, written),
          name: rule.name ?? style.name,
          isLabel: symbolizer.kind === 'textSymbolizer',
        }),
      ),
    );
  });
}

/** Else means that no other filter of the rules matches. */
function selectFilter(rule: Rule, rules: readonly Rule[]): Filter | undefined {
  if (rule.filter?.kind !== 'else') return rule.filter;
  const others = rules.flatMap(({ filter }) => (filter === undefined || filter.kind === 'else' ? [] : [filter]));
  const inverse = negateFilter(joinFilters('or', others));
  return inverse.kind === 'include' || inverse.kind === 'exclude' ? undefined : inverse;
}

function createLayer({ type, layout, paint }: WrittenLayer, rule: Rule, filter: Json | undefined): MbLayer {
  const { minScaleDenominator: min = 0, maxScaleDenominator: max = Number.POSITIVE_INFINITY } = rule;
  const limitZoom = (zoom: number) => Math.min(24, Math.max(0, zoom));
  return {
    type,
    ...(Number.isFinite(max) ? { minzoom: limitZoom(toZoom(max)) } : {}),
    ...(min > 0 ? { maxzoom: limitZoom(toZoom(min)) } : {}),
    ...(filter === undefined ? {} : { filter }),
    ...(Object.keys(layout).length === 0 ? {} : { layout }),
    ...(Object.keys(paint).length === 0 ? {} : { paint }),
  };
}

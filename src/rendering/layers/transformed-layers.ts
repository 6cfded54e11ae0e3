/**
 * Replaces the feature type styles with a transformation by layers of their own, whose data is computed from that of
 * the layer. Other feature type styles of the same style draw the layer itself.
 */
import type { Interpolation } from '../../raster/warp/interpolate.ts';
import type { TargetPicture } from '../../raster/warp/source-positions.ts';
import type { FeatureTypeStyle, UserStyle } from '../../styling/model/model.ts';
import type { PackedAttributes, VectorSource } from '../../vector/port/port.ts';
import { bindStatistics } from '../raster/bind-statistics.ts';
import { createTargetPicture } from '../raster/target-picture.ts';
import type { CoverageLayer, DrawnCoverage, MapLayer, VectorLayer } from '../request/map-request.ts';
import type { MapSettings } from '../request/map-settings.ts';
import { findOptionText, isInScale, planStyle } from '../rules/style-plan.ts';
import { computeVisibleBox } from '../shapes/frame.ts';
import { listWorldShifts, resolveMapSystem } from '../shapes/map-area.ts';
import { warpCoverage } from '../transformations/model/coverage-data.ts';
import { unpackBatch } from '../transformations/model/feature-data.ts';
import {
  type DataDescription,
  describePackedValues,
  findGeometryAttribute,
  listValueNames,
  type TransformedData,
  type TransformedMap,
} from '../transformations/model/transformed-data.ts';
import { planTransformation, type TransformationPlan } from '../transformations/plan-transformation.ts';
import { type TransformationInput, transformData } from '../transformations/transformation-task.ts';
import { readTransformationInput } from './transformation-input.ts';

/** Computes a transformation, in this thread or in a worker. */
export type RunTransformation = (input: TransformationInput, signal: AbortSignal) => Promise<TransformedData>;

export interface ExpandedLayer {
  readonly layer: MapLayer;
  /** The layer of the request that it is a part of. */
  readonly original: MapLayer;
  /** Computes the data of the layer. Call it before the layer is read. */
  prepare(signal: AbortSignal): Promise<void>;
}

export interface ExpansionOptions {
  /** For reading the statistics of coverages. */
  readonly signal: AbortSignal;
  /** This thread by default. */
  readonly transform?: RunTransformation | undefined;
  /** Whether features are queried with all attributes, instead of drawn. */
  readonly isQuery?: boolean;
}

/** Throws a Problem if a transformation or a call of statistics is invalid. */
export async function expandLayers(
  layers: readonly MapLayer[],
  settings: MapSettings,
  options: ExpansionOptions,
): Promise<readonly ExpandedLayer[]> {
  const expanded: ExpandedLayer[] = [];
  for (const original of layers) {
    const layer = original.kind === 'coverage' ? await bindStatistics(original, options.signal) : original;
    for (const style of splitStyle(layer.style, settings.scaleDenominator)) {
      const [first] = style.featureTypeStyles;
      if (first?.transformation === undefined) {
        const part = style === layer.style ? layer : { ...layer, style };
        expanded.push({ layer: part, original, prepare: async () => undefined });
      } else if (options.isQuery && findOptionText(first.vendorOptions, 'transformFeatureInfo') === 'false') {
        expanded.push({ layer: showSource({ ...layer, style }), original, prepare: async () => undefined });
      } else expanded.push(await createTransformedLayer({ ...layer, style }, original, settings, options));
    }
  }
  return expanded;
}

/** Separates the feature type styles with a transformation; returns the same style if it has none. */
function splitStyle(style: UserStyle, scaleDenominator: number): readonly UserStyle[] {
  if (style.featureTypeStyles.every(({ transformation }) => transformation === undefined)) return [style];
  const parts: FeatureTypeStyle[][] = [];
  for (const each of style.featureTypeStyles) {
    const last = parts.at(-1);
    const isPlain = each.transformation === undefined;
    if (isPlain && last !== undefined && last[0]?.transformation === undefined) last.push(each);
    else if (isPlain || each.rules.some((rule) => isInScale(rule, scaleDenominator))) parts.push([each]);
  }
  return parts.map((featureTypeStyles) => ({ ...style, featureTypeStyles }));
}

/** A layer that is queried instead of its transformation: rules keep their scales, but not their conditions. */
function showSource<L extends MapLayer>(layer: L): L {
  const featureTypeStyles = layer.style.featureTypeStyles.map(({ transformation: _, ...each }) => ({
    ...each,
    rules: each.rules.map(({ filter: __, ...rule }) =>
      layer.kind === 'coverage' ? { ...rule, symbolizers: [{ kind: 'rasterSymbolizer' as const }] } : rule,
    ),
  }));
  return { ...layer, style: { ...layer.style, featureTypeStyles } };
}

async function createTransformedLayer(
  layer: MapLayer,
  original: MapLayer,
  settings: MapSettings,
  { transform = transformData, isQuery = false }: ExpansionOptions,
): Promise<ExpandedLayer> {
  const [styled] = layer.style.featureTypeStyles;
  if (styled?.transformation === undefined) throw new Error('The style has no transformation.');
  const visible = await createTransformedMap(layer, settings);
  const plan = planTransformation(styled.transformation, describeLayer(layer), settings.variables, visible);
  const map = layer.kind === 'vector' ? { ...visible, shifts: listInputShifts(plan, settings) } : visible;
  const { transformation: _, ...untransformed } = styled;
  const style: UserStyle = { ...layer.style, featureTypeStyles: [untransformed] };
  const { request, frame } = settings;
  // A rotated picture has no upright grid to query.
  const target = createTargetPicture(frame, isQuery ? 0 : (request.angle ?? 0));
  const queried = isQuery && request.angle ? { width: map.width, height: map.height, bounds: map.box } : target;
  const interpolation: Interpolation = (layer.kind === 'coverage' ? layer.interpolation : undefined) ?? 'nearest';
  let output: TransformedData | undefined;
  const prepare = async (signal: AbortSignal): Promise<void> => {
    if (output !== undefined) return;
    const wanted = await listWantedAttributes(plan, style, settings, isQuery);
    const data = await readTransformationInput(layer, plan, { settings, map, ...wanted }, signal);
    if (data === undefined) return;
    output = await transform({ step: plan.step, data, map, target: queried, interpolation }, signal);
  };
  const getOutput = (): TransformedData | undefined => output;
  return { layer: { ...createOutputLayer(layer, plan.output, queried, getOutput), style }, original, prepare };
}

function describeLayer(layer: MapLayer): DataDescription {
  return layer.kind === 'vector'
    ? { kind: 'features', description: describePackedValues(layer.source.description) }
    : { kind: 'coverage', bands: layer.source.bands };
}

async function createTransformedMap(layer: MapLayer, { frame, system, request }: MapSettings): Promise<TransformedMap> {
  const box = request.angle ? computeVisibleBox(frame, 0) : frame.box;
  const scale = {
    x: (box.maxX - box.minX) / (frame.box.maxX - frame.box.minX),
    y: (box.maxY - box.minY) / (frame.box.maxY - frame.box.minY),
  };
  const dataCrs =
    layer.kind === 'vector'
      ? (findGeometryAttribute(layer.source.description)?.crs ?? {})
      : (layer.source.description?.grid.crs ?? system.reference);
  const { metresPerUnit } = await resolveMapSystem(dataCrs);
  return {
    box,
    width: Math.ceil(frame.width * scale.x),
    height: Math.ceil(frame.height * scale.y),
    crs: system.reference,
    dataCrs,
    shifts: listWorldShifts(system, box),
    isTiled: request.adjacentTiles !== undefined,
    mapUnitsPerDataUnit: metresPerUnit / system.metresPerUnit,
  };
}

/** Returns the copies of the Earth whose features have an effect on the map. */
function listInputShifts({ reach }: TransformationPlan, { frame, system }: MapSettings): readonly number[] {
  return listWorldShifts(system, computeVisibleBox(frame, reach.pixels));
}

/** Returns the attributes of the output that a style or a query uses. */
async function listWantedAttributes(
  { output }: TransformationPlan,
  style: UserStyle,
  settings: MapSettings,
  isQuery: boolean,
): Promise<{ readonly wanted: readonly string[]; readonly hasIds: boolean }> {
  if (output.kind === 'coverage') return { wanted: [], hasIds: false };
  if (isQuery) return { wanted: listValueNames(output.description), hasIds: true };
  const { values, hasIds } = await planStyle(style, output.description, settings);
  return { wanted: values, hasIds };
}

/** A layer of computed features or of a computed coverage. */
function createOutputLayer(
  layer: MapLayer,
  output: DataDescription,
  target: TargetPicture,
  getOutput: () => TransformedData | undefined,
): Omit<VectorLayer, 'style'> | Omit<CoverageLayer, 'style'> {
  const { title, loadGraphic } = layer;
  if (output.kind === 'coverage') {
    const source = createComputedCoverage(title, output.bands, target, getOutput);
    return { kind: 'coverage', title, source, loadGraphic };
  }
  const source = { source: createComputedSource(getOutput), description: output.description };
  const filterRunner = layer.kind === 'vector' ? layer.source.filterRunner : undefined;
  return {
    kind: 'vector',
    title,
    loadGraphic,
    source: filterRunner === undefined ? source : { ...source, filterRunner },
  };
}

function createComputedCoverage(
  name: string,
  bands: DrawnCoverage['bands'],
  target: TargetPicture,
  getOutput: () => TransformedData | undefined,
): DrawnCoverage {
  return {
    name,
    bands,
    async read(request) {
      const data = getOutput();
      if (data?.kind !== 'coverage') return undefined;
      const isWhole = request.target.width === target.width && request.target.height === target.height;
      const wanted = request.bands ?? data.bands.map((_, index) => index);
      const read = isWhole ? wanted.flatMap((place) => data.bands[place] ?? []) : await warpCoverage(data, request);
      const { width, height } = request.target;
      return {
        width,
        height,
        bands: read.map(({ samples, mask }) => (mask === undefined ? { samples } : { samples, mask })),
        described: read.map(({ band }) => band),
      };
    },
  };
}

/** Rules filter the features again, so that the conditions of a query need not be applied. */
function createComputedSource(getOutput: () => TransformedData | undefined): VectorSource {
  return {
    listTypes: async () => [],
    describe: async () => undefined,
    async *read() {
      const data = getOutput();
      if (data?.kind !== 'features') return;
      let number = 1;
      for (const batch of data.batches) {
        yield unpackBatch(data, batch, number);
        number += batch.count;
      }
    },
    pack: async (_, __, attributes) => packOutput(getOutput(), attributes),
    close: async () => undefined,
  };
}

/** Copies the batches, because surfaces transfer them and a map can be drawn twice. */
async function* packOutput(data: TransformedData | undefined, { values, hasIds }: PackedAttributes) {
  if (data?.kind !== 'features') return;
  const places = values.map((name) => data.columns.indexOf(name));
  let number = 1;
  for (const batch of data.batches) {
    const first = number;
    yield {
      count: batch.count,
      ordinates: batch.ordinates.slice(),
      ends: batch.ends.slice(),
      isOuter: batch.isOuter.slice(),
      shapes: batch.shapes.slice(),
      columns: places.map((place) => batch.columns[place]?.slice() ?? Array.from({ length: batch.count }, () => null)),
      ids: hasIds ? (batch.ids ?? Array.from({ length: batch.count }, (_, index) => String(first + index))) : undefined,
    };
    number += batch.count;
  }
}

/** Creates vector tiles from the features of layers. */

import type { Bounds } from '../../crs/bounds.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import { convertMercatorToDegrees } from '../../crs/web-mercator.ts';
import { joinResolvedFilters } from '../../filter/model/join-resolved-filters.ts';
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import { outputFormats } from '../../formats/formats.ts';
import { encodeCollection } from '../../formats/in-thread/encode-collection.ts';
import { createReprojection } from '../../geometry/reprojection.ts';
import { MIN_JUMP, TURN_ROUNDING } from '../../geometry/unwrap-line.ts';
import { problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import { buildConditionsBeyond, getJumpedMeridians, type World } from '../../rendering/layers/box-conditions.ts';
import { computeFeatureBoxes, listWorldShifts, resolveMapSystem } from '../../rendering/shapes/map-area.ts';
import { TILE_PIXELS } from '../../tiles/tile-matrix-set.ts';
import { addTileBuffer, BUFFER, EXTENT } from '../../tiles/vector/tile-geometry.ts';
import type { Attribute, Feature, SourceTile } from '../../vector/port/port.ts';
import { createNearBoxFilter } from '../../vector/query/box-filter.ts';
import type { FeatureQuery } from '../../vector/query/feature-query.ts';
import { mapFeatures, queryFeatures } from '../../vector/query/query-features.ts';
import { type OpenedType, openType } from '../access/open-type.ts';
import type { PublishedType } from '../access/published-type.ts';
import type { MapServices } from './map-services.ts';
import type { TileStyle } from './tile-style.ts';

/** The maximum number of features that are considered for a layer of a tile. */
const MAX_FEATURES = 50_000;

/** The maximum size of a tile, uncompressed; clients take seconds to parse and draw more. */
export const MAX_TILE_BYTES = 500_000;

/** The area of a tile. */
export interface TileFrame {
  readonly crs: CrsReference;
  /** x before y, in the CRS of the tile. */
  readonly bounds: Bounds;
}

/** The features of one layer in a tile. */
export interface TileFeatures {
  readonly type: PublishedType;
  /** For a virtual table: parameter values by lower-case name. */
  readonly viewParameters?: ReadonlyMap<string, string> | undefined;
  /** Returns undefined for all features. */
  readonly narrow?: ((opened: OpenedType) => Promise<ResolvedFilter | undefined>) | undefined;
  readonly maxFeatures?: number | undefined;
  /** The attributes to include; undefined for all. */
  readonly properties?: readonly string[] | undefined;
  /** The options of the style. Attributes that the layer does not have are ignored. */
  readonly tileStyle?: TileStyle | undefined;
}

export type VectorTileServices = Pick<MapServices, 'vectorData' | 'encoding' | 'tileReadingMs'>;

export interface VectorTile {
  /** No bytes if all layers are empty. */
  readonly bytes: Uint8Array;
  /** Whether the time limit for reading left features out. */
  readonly isIncomplete: boolean;
}

/** Writes each layer under its name. */
export async function encodeVectorTile(
  services: VectorTileServices,
  layers: readonly TileFeatures[],
  frame: TileFrame & { readonly now: Date },
  signal: AbortSignal,
): Promise<VectorTile> {
  rejectUnknownProperties(layers);
  const made: VectorTile[] = [];
  let room = MAX_TILE_BYTES;
  // A data rule can hide the geometry.
  const drawn = layers.filter(({ type }) => type.geometry !== undefined);
  for (const [index, layer] of drawn.entries()) {
    // The room that a layer leaves is shared by the next ones.
    const maxBytes = Math.floor(room / (drawn.length - index));
    const encoded = await encodeLayer(services, layer, { ...frame, maxBytes }, signal);
    room = Math.max(0, room - encoded.bytes.length);
    made.push(encoded);
  }
  const [only, ...others] = made;
  if (only !== undefined && others.length === 0) return only;
  return {
    bytes: Buffer.concat(made.map(({ bytes }) => bytes)),
    isIncomplete: made.some(({ isIncomplete }) => isIncomplete),
  };
}

/** An attribute must belong to at least one of the layers. */
function rejectUnknownProperties(layers: readonly TileFeatures[]): void {
  const known = new Set(layers.flatMap(({ type }) => listValueNames(type)));
  for (const { type, properties = [] } of layers) {
    const unknown = properties.find((name) => !known.has(name));
    if (unknown === undefined) continue;
    const details = { type: type.qualifiedName, properties: [...known].map((name) => excerpt(name)) };
    throw problem('wfs-property-unknown', { name: excerpt(unknown), ...details, field: 'properties' });
  }
}

function listValueNames({ attributes }: PublishedType): readonly string[] {
  return attributes.flatMap(({ kind, name }) => (kind === 'value' ? name : []));
}

async function encodeLayer(
  services: VectorTileServices,
  { type, viewParameters, narrow, maxFeatures = MAX_FEATURES, properties: requested, tileStyle }: TileFeatures,
  { crs, bounds, now, maxBytes }: TileFrame & { readonly now: Date; readonly maxBytes: number },
  signal: AbortSignal,
): Promise<VectorTile> {
  const opened = await openType(services.vectorData, type, signal, viewParameters);
  try {
    const system = await resolveMapSystem(crs);
    const shifts = listWorldShifts(system, bounds);
    const isWithin = shifts.length === 1 && shifts[0] === 0;
    const around = addTileBuffer(bounds);
    const boxes = isWithin
      ? [await toDataBox(type, crs, around)].filter((box) => box !== undefined)
      : await computeFeatureBoxes(system, around, shifts, type.keptCrs);
    const [box] = boxes;
    if (box === undefined) return { bytes: new Uint8Array(0), isIncomplete: false };
    const filter = await narrow?.(opened);
    const limit = Math.min(selectFeatureLimit(type), maxFeatures);
    const properties = requested ?? tileStyle?.attributes;
    const labels = tileStyle?.hasLabels ? { properties: tileStyle.labelAttributes ?? properties } : undefined;
    const coalesces = tileStyle?.coalesces ?? false;
    const tile = {
      crs,
      bounds,
      box,
      boxes,
      world: system.world,
      shifts,
      filter,
      now,
      limit,
      maxBytes,
      properties,
      labels,
      coalesces,
    };
    // The source draws the world once, with one layer of the features as they are.
    // Stored tiles contain what their writer drew beyond the antimeridian.
    const isPlain = (isWithin || opened.source.hasLevels === true) && !coalesces && labels === undefined;
    const bytes = isPlain ? await createTileInSource(opened, tile) : undefined;
    return bytes === undefined ? await encodeTileFromFeatures(opened, tile, services) : { bytes, isIncomplete: false };
  } finally {
    opened.release();
  }
}

interface Tile extends TileFrame {
  /** With the buffer around the tile, in the CRS of the data. */
  readonly box: Bounds;
  /** One box for each copy of the world in the tile. */
  readonly boxes: readonly Bounds[];
  /** In the CRS of the tile. */
  readonly world: World | undefined;
  readonly shifts: readonly number[];
  /** Undefined for all features. */
  readonly filter: ResolvedFilter | undefined;
  readonly limit: number;
  readonly maxBytes: number;
  /** Undefined for all. */
  readonly properties: readonly string[] | undefined;
  /** Undefined for no layer of labels. */
  readonly labels: { readonly properties: readonly string[] | undefined } | undefined;
  readonly coalesces: boolean;
  readonly now: Date;
}

function selectFeatureLimit({ maxFeatures }: PublishedType): number {
  return maxFeatures === 0 ? MAX_FEATURES : Math.min(MAX_FEATURES, maxFeatures);
}

/** Data without a known CRS is assumed to be in the CRS of the tile. */
function hasKnownCrs({ keptCrs }: PublishedType): boolean {
  return Object.keys(keptCrs).length > 0;
}

async function toDataBox({ keptCrs }: PublishedType, crs: CrsReference, around: Bounds) {
  // The most common case is computed directly: converting many points per side takes as long as the database query.
  if (crs.code === 'EPSG:3857' && keptCrs.code === 'EPSG:4326') return convertMercatorToDegrees(around);
  const toData = Object.keys(keptCrs).length > 0 ? await createReprojection(crs, keptCrs) : undefined;
  return toData === undefined ? around : toData.reprojectBounds(around);
}

/** Returns undefined if the source cannot create an equivalent tile. */
async function createTileInSource(opened: OpenedType, tile: Tile): Promise<Uint8Array | undefined> {
  const { source, description, view, signal } = opened;
  const own = source.tile?.bind(source);
  const asked = own && (await toSourceTile(opened, tile));
  if (own === undefined || asked === undefined) return undefined;
  return opened.within(() => own(view ?? description.name, asked, signal));
}

async function toSourceTile({ published, description }: OpenedType, tile: Tile): Promise<SourceTile | undefined> {
  const { crs, bounds, box, filter, limit, maxBytes, properties } = tile;
  const { nativeBounds } = published.records.type;
  const [epsg, epsgOfTile] = [parseEpsgNumber(published.keptCrs), parseEpsgNumber(crs)];
  if (epsg === undefined || epsgOfTile === undefined || description.defaultGeometry === undefined) return undefined;
  const { world } = await resolveMapSystem(published.keptCrs);
  // The source would draw shapes across the antimeridian on one side only.
  if (world !== undefined && nativeBounds !== null && isBeyond(nativeBounds, world)) return undefined;
  return {
    layer: published.name,
    geometry: { name: description.defaultGeometry, epsg },
    attributes: description.attributes
      .filter(({ kind, name }) => kind === 'value' && (properties?.includes(name) ?? true))
      .map(({ name }) => ({ name, as: name })),
    frame: { epsg: epsgOfTile, bounds, extent: EXTENT, buffer: BUFFER, pixels: TILE_PIXELS },
    box,
    ...(nativeBounds === null ? {} : { extent: nativeBounds }),
    ...(filter === undefined ? {} : { filter }),
    limit,
    maxBytes,
    ...(world === undefined ? {} : { jumps: findJumps(nativeBounds, world) }),
  };
}

function isBeyond({ minX, maxX }: Bounds, world: World): boolean {
  const rounding = world.width * TURN_ROUNDING;
  return minX < world.minX - rounding || maxX > world.minX + world.width + rounding;
}

/** Returns undefined if the data is too narrow for shapes that jump over the antimeridian. */
function findJumps(bounds: Bounds | null, world: World): SourceTile['jumps'] {
  const [west, east] = getJumpedMeridians(world);
  if (bounds !== null && (bounds.minX > west || bounds.maxX < east)) return undefined;
  return { west, east, minWidth: world.width * MIN_JUMP };
}

function parseEpsgNumber({ code }: CrsReference): number | undefined {
  const number = /^EPSG:(\d{1,6})$/.exec(code ?? '')?.[1];
  return number === undefined ? undefined : Number(number);
}

async function encodeTileFromFeatures(
  opened: OpenedType,
  { crs, bounds, boxes, world, shifts, filter, limit, maxBytes, properties, labels, coalesces, now }: Tile,
  { encoding, tileReadingMs }: VectorTileServices,
): Promise<VectorTile> {
  const { published, description, signal } = opened;
  const endMs = performance.now() + tileReadingMs;
  let isIncomplete = false;
  const placed = hasKnownCrs(published) ? { crs } : {};
  const chosen = selectReadAttributes(description.attributes, properties, labels);
  const resolution = Math.max(...boxes.map(({ minX, maxX }) => maxX - minX)) / TILE_PIXELS;
  const query = { ...(await buildSelection(opened, boxes, filter)), ...placed, ...chosen, resolution };
  const answer = mapFeatures(await queryFeatures(opened, query, signal), (batches) =>
    readUntil(endMs, opened.withTimeout(batches), () => {
      isIncomplete = true;
    }),
  );
  const drawn = {
    typeName: { prefix: published.prefix, uri: published.namespace, local: published.name },
    description: answer.description,
    crs: { reference: crs, isNorthFirst: false },
    batches: answer.batches,
    unshaped: answer.unshaped,
  };
  const collection = {
    sets: [drawn],
    timeStamp: now,
    links: () => [],
    schemaLocations: [],
    options: {
      decimals: 0,
      tile: {
        ...{ bounds, world, shifts, limit, maxBytes, properties, labels, coalesces },
        isKeyless: description.isKeyless,
      },
    },
  };
  const pieces: Uint8Array[] = [];
  for await (const piece of encodeCollection(outputFormats['vector-tile'], collection, encoding, signal)) {
    pieces.push(piece);
  }
  const bytes = pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
  return { bytes, isIncomplete };
}

/** Selects the attributes of both layers. */
function selectReadAttributes(
  attributes: readonly Attribute[],
  properties: Tile['properties'],
  labels: Tile['labels'],
): Pick<FeatureQuery, 'attributes'> {
  const all = labels === undefined ? properties : properties && labels.properties?.concat(properties);
  if (all === undefined) return {};
  return {
    attributes: attributes
      .filter(({ kind, name }) => kind === 'geometry' || all.includes(name))
      .map(({ name }) => name),
  };
}

async function buildSelection(
  { published, description }: OpenedType,
  boxes: readonly Bounds[],
  filter: ResolvedFilter | undefined,
): Promise<Pick<FeatureQuery, 'box' | 'filter'>> {
  const { world } = await resolveMapSystem(published.keptCrs);
  const { defaultGeometry, bounds } = description;
  const beyond =
    world === undefined || defaultGeometry === undefined
      ? []
      : buildConditionsBeyond(defaultGeometry, bounds, boxes, world);
  const [box, ...others] = boxes;
  if (defaultGeometry === undefined || (beyond.length === 0 && others.length === 0)) {
    return { ...(box === undefined ? {} : { box }), ...(filter === undefined ? {} : { filter }) };
  }
  const near = joinResolvedFilters('or', [
    ...boxes.map((each) => createNearBoxFilter(defaultGeometry, each)),
    ...beyond,
  ]);
  return { filter: filter === undefined ? near : joinResolvedFilters('and', [near, filter]) };
}

/** Calls `onEnd` if it leaves out a batch; the first one is always included. */
async function* readUntil(
  endMs: number,
  batches: AsyncIterable<readonly Feature[]>,
  onEnd: () => void,
): AsyncGenerator<readonly Feature[]> {
  let isFirst = true;
  for await (const batch of batches) {
    if (!isFirst && performance.now() >= endMs) {
      onEnd();
      return;
    }
    isFirst = false;
    yield batch;
  }
}

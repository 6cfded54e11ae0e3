/** The surface that a map is painted on, in this thread or in a worker: layer by layer, batch by batch. */

import type { Bounds } from '../../crs/bounds.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import type { UploadedFont } from '../../styling/fonts/font-registry.ts';
import type { OnlineResource } from '../../styling/model/model.ts';
import type { FeatureBatch } from '../../vector/port/packed-features.ts';
import type { SemaphorePermit } from '../../workers/fair-semaphore.ts';
import type { MapDecoration } from '../decorations/decoration.ts';
import type { AdjacentTiles } from '../labels/shared-labels.ts';
import type { RasterPainting } from '../raster/paint-raster.ts';
import type { ClipArea } from '../rasterizer/clip-area.ts';
import type { Antialias, Color, Pixels, PngFile } from '../request/map-request.ts';
import type { SpatialConditions } from '../rules/spatial-conditions.ts';
import type { StylePlan } from '../rules/style-plan.ts';
import type { Frame } from '../shapes/frame.ts';

export interface SurfaceSettings {
  readonly frame: Frame;
  /** Undefined for a transparent map. */
  readonly background: Color | undefined;
  /** Clips everything above the background; undefined for the whole map. */
  readonly clip: ClipArea | undefined;
  /** The only colours of the picture; undefined for no restriction. */
  readonly palette: readonly Color[] | undefined;
  /** Whether each pixel is either opaque or transparent. */
  readonly hasBinaryOpacity: boolean;
  readonly antialias: Antialias;
  readonly scaleDenominator: number;
  /** The size of symbols relative to pixels of 0.28 mm. */
  readonly symbolFactor: number;
  /** Added to the width of each line, in pixels. */
  readonly strokeGrowth: number;
  /** For a block of tiles: the sides where other tiles continue it. */
  readonly adjacentTiles?: AdjacentTiles | undefined;
  readonly displacesDownwards?: boolean | undefined;
  /** The uploaded fonts that labels and marks can use. */
  readonly fonts?: readonly UploadedFont[] | undefined;
  /** Drawn above everything else. */
  readonly decorations?: readonly MapDecoration[] | undefined;
}

export interface PaintedLayer {
  readonly plan: StylePlan;
  /** The spatial conditions in the rules of the plan. */
  readonly spatialConditions: SpatialConditions;
  /** The CRS of the features and the CRS of the map. */
  readonly from: CrsReference;
  readonly to: CrsReference;
  /** The visible area in the CRS of the features, where the rest of the Earth has no valid position on the map. */
  readonly area: Bounds | undefined;
  /** The width of the Earth in the CRS of the features; infinite if the CRS does not wrap around. */
  readonly world: number;
  /** The left edge of a projection whose edges do not meet, in units of the CRS of the features. */
  readonly seam: number | undefined;
  /** The offsets of features to the right, in units of the map: one for each visible copy of the Earth. */
  readonly shifts: readonly number[];
  /** The extent of the Earth in units of the map; undefined if the map does not continue beyond the antimeridian. */
  readonly mapWorld: { readonly minX: number; readonly width: number } | undefined;
  /** The bytes of pictures, by their references in the style. */
  readonly graphics: ReadonlyMap<string, Uint8Array>;
  /** The addresses of pictures that depend on features. */
  readonly addresses: readonly string[];
}

/** Addresses of pictures that depend on features, with the columns of the batches that contain the features. */
export interface AddressTemplates extends Pick<StylePlan, 'values' | 'geometries'> {
  readonly sources: readonly OnlineResource[];
}

/** A range of features of one layer that are painted together: from an index, inclusive, to another, exclusive. */
export interface LevelRange {
  readonly part: number;
  readonly from: number;
  readonly to: number;
}

/** A surface that layers are painted on, independent of its output format. */
export interface LayerSurface {
  /** Whether groups are painted directly on the surface, without an intermediate picture for each group. */
  readonly isDirect: boolean;
  /** Returns the addresses of pictures for the features of a batch. May transfer the batch. */
  expandAddresses(templates: AddressTemplates, batch: FeatureBatch): Promise<readonly string[]>;
  startLayer(layer: PaintedLayer): Promise<void>;
  /**
   * Paints features of the layer that was started last. Resolves when the next batch is accepted; may transfer the
   * batch.
   */
  paint(batch: FeatureBatch): Promise<void>;
  /** Starts several layers whose features are painted in a common order. */
  startOrderedLayers(layers: readonly PaintedLayer[]): Promise<void>;
  /** Buffers features of one of these layers until their level is painted. May transfer the batch. */
  bufferBatch(part: number, batch: FeatureBatch): Promise<void>;
  /** Paints the buffered features of one level of the order, layer by layer. */
  paintLevel(level: readonly LevelRange[]): Promise<void>;
  /** Paints the samples of a coverage over the existing content. */
  paintRaster(painting: RasterPainting): Promise<void>;
  /**
   * Paints a picture of the size of the map, with straight alpha, over the existing content. May transfer the buffer.
   */
  overlay(straight: Uint8Array): Promise<void>;
  /** Releases the surface, finished or not. */
  close(): void;
}

export interface MapSurface extends LayerSurface {
  finish(): Promise<Pixels>;
  /** Returns a PNG file if the map has few colours. */
  finishAsPng(): Promise<Pixels | PngFile>;
}

export type OpenSurface<S extends LayerSurface = MapSurface> = (
  settings: SurfaceSettings,
  signal: AbortSignal,
  turn: SurfaceAttempt,
) => Promise<S>;

/** Stops the worker of a map to make room for other maps. The map is drawn again later. */
export class Preempted extends Error {}

/** The state of one map across all of its surfaces. */
export interface SurfaceAttempt {
  /** The slot among the active maps: acquired with the first surface, and held until the map ends. */
  slot: SemaphorePermit | undefined;
  readonly wasPreempted: boolean;
  /** Whether the map may be preempted, which discards its painting. */
  readonly canBePreempted: boolean;
  readonly remoteStore: string | undefined;
}

export interface SurfaceRun {
  readonly settings: SurfaceSettings;
  readonly signal: AbortSignal;
  readonly canBePreempted: boolean;
  /** The store of a remote server, which may keep the map waiting. */
  readonly remoteStore: string | undefined;
}

/** Runs the work on a surface, and repeats it on a new one after a preemption. */
export async function runOnSurface<S extends LayerSurface, T>(
  open: OpenSurface<S>,
  { settings, signal, canBePreempted, remoteStore }: SurfaceRun,
  work: (surface: S) => Promise<T>,
): Promise<T> {
  let turn: SurfaceAttempt = { slot: undefined, wasPreempted: false, canBePreempted, remoteStore };
  try {
    for (;;) {
      const surface = await open(settings, signal, turn);
      try {
        return await work(surface);
      } catch (error) {
        if (!(error instanceof Preempted)) throw error;
        turn = { ...turn, wasPreempted: true };
      }
    }
  } finally {
    turn.slot?.release();
  }
}

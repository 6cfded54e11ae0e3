/** What a map is painted on, in this thread or in another: layers one after the other, each batch by batch. */
import type { Bounds } from '../../crs/bounds.ts';
import type { CrsReference } from '../../crs/model/crs-reference.ts';
import type { FeatureBatch } from '../../vector/port/packed-features.ts';
import type { SemaphorePermit } from '../../workers/fair-semaphore.ts';
import type { RasterPainting } from '../raster/paint-raster.ts';
import type { ClipArea } from '../rasterizer/clip-area.ts';
import type { Color, Pixels, PngFile } from '../request/map-request.ts';
import type { SpatialConditions } from '../rules/spatial-conditions.ts';
import type { StylePlan } from '../rules/style-plan.ts';
import type { Frame } from '../shapes/frame.ts';

export interface SurfaceSettings {
  readonly frame: Frame;
  /** Undefined where one can see through it. */
  readonly background: Color | undefined;
  /** All that is painted, above the background; undefined for the whole map. */
  readonly clip: ClipArea | undefined;
  /** The only colours of the picture; undefined where it may have any. */
  readonly palette: readonly Color[] | undefined;
  readonly scaleDenominator: number;
  /** How much larger symbols are than on pixels of 0.28 mm. */
  readonly symbolFactor: number;
}

export interface PaintedLayer {
  readonly plan: StylePlan;
  /** The conditions on places in the rules of the plan. */
  readonly spatialConditions: SpatialConditions;
  /** The system of the features, and that of the map. */
  readonly from: CrsReference;
  readonly to: CrsReference;
  /** What is seen, in the system of the features, where the rest of the Earth has no sensible place on the map. */
  readonly area: Bounds | undefined;
  /** How wide the Earth is in the system of the features; infinite where it does not go round. */
  readonly world: number;
  /** How far features are moved to the right, in units of the map: once for each time that the Earth is seen. */
  readonly shifts: readonly number[];
  /** The bytes of pictures by the names that the style has for them. */
  readonly graphics: ReadonlyMap<string, Uint8Array>;
}

/** Features of one of the layers that are painted together: those from a number on, up to another, counted from 0. */
export interface LevelRange {
  readonly part: number;
  readonly from: number;
  readonly to: number;
}

/** What layers are painted on, whatever becomes of it. */
export interface LayerSurface {
  /** Whether all groups of a layer come to lie on it at once, feature by feature. */
  readonly isDirect: boolean;
  startLayer(layer: PaintedLayer): Promise<void>;
  /** Of the layer that was started last. Ends when there is room for another; the batch may be given away. */
  paint(batch: FeatureBatch): Promise<void>;
  /** Several layers whose features are painted in one order. */
  startOrderedLayers(layers: readonly PaintedLayer[]): Promise<void>;
  /** Takes features of one of these; they are painted when it is their turn. The batch may be given away. */
  bufferBatch(part: number, batch: FeatureBatch): Promise<void>;
  /** Paints what they hold at one level of their order, one layer after the other. */
  paintLevel(level: readonly LevelRange[]): Promise<void>;
  /** Paints the samples of a coverage over what is there. */
  paintRaster(painting: RasterPainting): Promise<void>;
  /** Lays a picture of the size of the map over what is there, colours as they are; it may be given away. */
  overlay(straight: Uint8Array): Promise<void>;
  /** Lets go of it, whether it is finished or not. */
  close(): void;
}

export interface MapSurface extends LayerSurface {
  finish(): Promise<Pixels>;
  /** As a file where it has few colours. */
  finishAsPng(): Promise<Pixels | PngFile>;
}

export type OpenSurface<S extends LayerSurface = MapSurface> = (
  settings: SurfaceSettings,
  signal: AbortSignal,
  turn: SurfaceAttempt,
) => Promise<S>;

/** Why the thread of a map ends that makes room for others: the map is begun again. */
export class Preempted extends Error {}

/** One map, from its first surface to its last. */
export interface SurfaceAttempt {
  /** Among the maps under way: taken with the first surface, and kept until the map ends. */
  slot: SemaphorePermit | undefined;
  readonly wasPreempted: boolean;
  /** Whether it may have to make room for others: what is painted is lost then. */
  readonly canBePreempted: boolean;
}

/** Does the work on a surface, and again on another where that one had to make room for others. */
export async function runOnSurface<S extends LayerSurface, T>(
  open: OpenSurface<S>,
  settings: SurfaceSettings,
  signal: AbortSignal,
  work: (surface: S) => Promise<T>,
  mayBeSetBack = true,
): Promise<T> {
  let turn: SurfaceAttempt = { slot: undefined, wasPreempted: false, canBePreempted: mayBeSetBack };
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

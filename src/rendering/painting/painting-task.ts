/** Paints a map in a worker: executes the received steps and returns the picture. */
import type { MessagePort } from 'node:worker_threads';
import { useUploadedFonts } from '../../styling/legend/canvas/use-fonts.ts';
import { type FeatureBatch, releaseBatch } from '../../vector/port/packed-features.ts';
import { createMessageReader } from '../../workers/messages.ts';
import type { Task } from '../../workers/task.ts';
import { markTransferable } from '../../workers/transferables.ts';
import type {
  AddressTemplates,
  LayerSurface,
  LevelRange,
  PaintedLayer,
  SurfaceSettings,
} from '../layers/map-surface.ts';
import type { RasterPainting } from '../raster/paint-raster.ts';
import { PaintingBuffers } from '../rasterizer/painting-buffers.ts';
import type { Pixels, PngFile } from '../request/map-request.ts';
import { type ChunkedLayer, joinLayer } from '../rules/chunked-style.ts';
import { type DocumentKind, DocumentPainter, type DrawnDocument } from './document-painter.ts';
import { MapPainter } from './map-painter.ts';

export interface PaintMapInput {
  readonly settings: SurfaceSettings;
  /** The first steps. */
  readonly steps: PaintingSteps;
  /** The port for further steps; undefined if there are none. */
  readonly port: MessagePort | undefined;
}

export interface PaintDocumentInput extends PaintMapInput {
  readonly document: DocumentKind;
}

export type PaintingStep =
  | { readonly kind: 'addresses'; readonly templates: AddressTemplates; readonly batch: FeatureBatch }
  | { readonly kind: 'layer'; readonly layer: PaintedLayer | ChunkedLayer<PaintedLayer> }
  | { readonly kind: 'batch'; readonly batch: FeatureBatch }
  | { readonly kind: 'layers'; readonly layers: readonly (PaintedLayer | ChunkedLayer<PaintedLayer>)[] }
  | { readonly kind: 'held'; readonly part: number; readonly batch: FeatureBatch }
  | { readonly kind: 'level'; readonly level: readonly LevelRange[] }
  | { readonly kind: 'raster'; readonly painting: RasterPainting }
  | { readonly kind: 'picture'; readonly straight: Uint8Array }
  | { readonly kind: 'finish'; readonly isPng: boolean }
  | { readonly kind: 'stop' };

/** Steps of one message. Each message wakes the thread, and most maps are small. */
export type PaintingSteps = readonly PaintingStep[];

export interface PainterMessage {
  /** The number of messages that are completely executed, so that the sender can send more. */
  readonly done: number;
  /** The addresses that the last message asked for. */
  readonly addresses: readonly string[];
}

export const paintMapTask: Task<PaintMapInput, Pixels | PngFile | undefined> = {
  module: import.meta.url,
  name: 'paintMap',
  work: paintMap,
};

export const paintDocumentTask: Task<PaintDocumentInput, DrawnDocument | undefined> = {
  module: import.meta.url,
  name: 'paintDocument',
  work: paintDocument,
};

/** Shared by all maps, because a thread paints one map at a time. */
const paintingBuffers = new PaintingBuffers();

/** Returns undefined if the map was stopped. */
export async function paintMap(painting: PaintMapInput): Promise<Pixels | PngFile | undefined> {
  await useUploadedFonts(painting.settings.fonts);
  const painter = new MapPainter(painting.settings, paintingBuffers);
  return followSteps(painting, painter, async (isPng) => {
    const painted = isPng ? await painter.finishAsPng() : await painter.finish();
    // A small file may share its buffer with others, so it is copied, not transferred.
    return 'png' in painted ? painted : markTransferable(painted, [painted.bytes.buffer as ArrayBuffer]);
  });
}

export async function paintDocument(painting: PaintDocumentInput): Promise<DrawnDocument | undefined> {
  await useUploadedFonts(painting.settings.fonts);
  const painter = await DocumentPainter.open(painting.document, painting.settings);
  return followSteps(painting, painter, () => painter.finish());
}

async function followSteps<T>(
  { steps, port }: PaintMapInput,
  painter: LayerSurface,
  finish: (isPng: boolean) => Promise<T>,
): Promise<T | undefined> {
  const further = port && createMessageReader<PaintingSteps>(port, { whenClosed: [{ kind: 'stop' }] });
  let message: PaintingSteps | undefined = steps;
  try {
    for (let done = 1; message !== undefined; done += 1) {
      let addresses: readonly string[] = [];
      for (const step of message) {
        switch (step.kind) {
          case 'addresses':
            addresses = await painter.expandAddresses(step.templates, step.batch);
            break;
          case 'layer':
            await painter.startLayer(await joinLayer(step.layer));
            break;
          case 'batch':
            await painter.paint(step.batch);
            releaseBatch(step.batch);
            break;
          case 'layers':
            await painter.startOrderedLayers(await Promise.all(step.layers.map(joinLayer)));
            break;
          case 'held':
            await painter.bufferBatch(step.part, step.batch);
            break;
          case 'level':
            await painter.paintLevel(step.level);
            break;
          case 'raster':
            await painter.paintRaster(step.painting);
            break;
          case 'picture':
            await painter.overlay(step.straight);
            break;
          case 'finish':
            return await finish(step.isPng);
          case 'stop':
            return undefined;
        }
      }
      port?.postMessage({ done, addresses } satisfies PainterMessage);
      message = await further?.next();
    }
    return undefined;
  } finally {
    port?.close();
  }
}

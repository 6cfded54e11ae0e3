/** Paints features of several layers or feature type styles in a common order, level by level from the bottom. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { problem } from '../../lib/problems/problem.ts';
import { MAX_SORTED_FEATURES } from '../../vector/query/sort-features.ts';
import type { MapSettings } from '../request/map-settings.ts';
import type { LayerSurface, LevelRange } from './map-surface.ts';
import { compareKeys, type KeyValues, OrderedReader } from './ordered-reader.ts';
import type { LayerPart } from './painting-runs.ts';
import { openVectorLayer } from './vector-layer.ts';

/** A level with more features is painted in parts, because its features are buffered in memory. */
const MAX_FEATURES_AT_A_TIME = 100_000;

export async function paintInOrder(
  surface: LayerSurface,
  parts: readonly LayerPart[],
  settings: MapSettings,
  signal: AbortSignal,
): Promise<void> {
  const opened = [];
  for (const part of parts) {
    const layer = await openVectorLayer(surface, part, settings, signal);
    if (layer !== undefined) opened.push({ ...layer, plan: part.plan });
  }
  if (opened.length === 0) return;
  await surface.startOrderedLayers(opened.map(({ painted }) => painted));
  const readers: OrderedReader[] = [];
  try {
    for (const [part, { plan, readBatches: batches }] of opened.entries()) {
      const columns = (plan.sort ?? []).map(({ attribute }) => plan.values.indexOf(attribute));
      const reader = new OrderedReader(await batches(), columns, async (batch) => {
        await surface.bufferBatch(part, batch);
        await yieldToEventLoop();
      });
      readers.push(reader);
      // Finish reading this layer before the next one is queried: a database connection must not wait half-read.
      if (part < opened.length - 1) await readAllBatches(readers, signal);
    }
    await paintLevels(surface, readers, opened[0]?.plan.sort ?? [], signal);
  } finally {
    await Promise.all(readers.map((reader) => reader.close()));
  }
}

async function readAllBatches(readers: readonly OrderedReader[], signal: AbortSignal): Promise<void> {
  while (await readers.at(-1)?.readNextBatch()) {
    signal.throwIfAborted();
    const held = readers.reduce((sum, { count }) => sum + count, 0);
    if (held > MAX_SORTED_FEATURES) throw problem('features-not-sortable', { most: MAX_SORTED_FEATURES });
  }
}

async function paintLevels(
  surface: LayerSurface,
  readers: readonly OrderedReader[],
  keys: Parameters<typeof compareKeys>[2],
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    let lowest: KeyValues | undefined;
    for (const reader of readers) {
      const head = await reader.getNextKeys();
      if (head !== undefined && (lowest === undefined || compareKeys(head, lowest, keys) < 0)) lowest = head;
    }
    if (lowest === undefined) return;
    const level: LevelRange[] = [];
    for (const [part, reader] of readers.entries()) {
      const from = reader.place;
      const to = await reader.skipMatching(lowest, MAX_FEATURES_AT_A_TIME);
      if (to > from) level.push({ part, from, to });
    }
    await surface.paintLevel(level);
  }
}

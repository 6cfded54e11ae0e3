/** Measures how long queries wait for the data of a source. */
import { type MeasuredWork, measureItems, measureWork } from '../lib/measure/measure-work.ts';
import type { VectorSource } from './port/port.ts';

/** `type` is the type of the store that its driver declares. */
export function measureSource(source: VectorSource, type: string): VectorSource {
  const query: MeasuredWork = { stage: 'query', kind: type };
  const { select, readView, count, bounds, computeStatistics, tile, pack } = source;
  return {
    ...source,
    read: (...call) => measureItems(query, source.read(...call)),
    ...(select === undefined ? {} : { select: (...call) => measureSelect(query, () => select.apply(source, call)) }),
    ...(readView === undefined ? {} : { readView: (...call) => measureItems(query, readView.apply(source, call)) }),
    ...(count === undefined ? {} : { count: (...call) => measureWork(query, () => count.apply(source, call)) }),
    ...(bounds === undefined ? {} : { bounds: (...call) => measureWork(query, () => bounds.apply(source, call)) }),
    ...(computeStatistics === undefined
      ? {}
      : { computeStatistics: (...call) => measureWork(query, () => computeStatistics.apply(source, call)) }),
    ...(tile === undefined ? {} : { tile: (...call) => measureWork(query, () => tile.apply(source, call)) }),
    ...(pack === undefined
      ? {}
      : {
          pack: async (...call) => {
            const batches = await pack.apply(source, call);
            return batches && measureItems(query, batches);
          },
        }),
  };
}

async function measureSelect(
  query: MeasuredWork,
  select: () => ReturnType<NonNullable<VectorSource['select']>>,
): ReturnType<NonNullable<VectorSource['select']>> {
  const selection = await select();
  return { ...selection, batches: measureItems(query, selection.batches) };
}

/** Where the values of a dimension lie, as numbers. */
import { parseMoment } from '../../../filter/model/moment.ts';
import type { LayerDimension } from './layer-dimensions.ts';

/** NaN for what has no place: texts are the same or they are not. */
export function measureValue({ kind }: Pick<LayerDimension, 'kind'>, value: string): number {
  return kind === 'time' ? Number(new Date(parseMoment(value) ?? Number.NaN)) : Number(value);
}

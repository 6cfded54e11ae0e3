/** Converts dimension values to numbers, to compare and measure them. */
import { parseMoment } from '../../../filter/model/moment.ts';
import type { LayerDimension } from './layer-dimensions.ts';

/** NaN for texts, which have no order. */
export function measureValue({ kind }: Pick<LayerDimension, 'kind'>, value: string): number {
  return kind === 'time' ? Number(new Date(parseMoment(value) ?? Number.NaN)) : Number(value);
}

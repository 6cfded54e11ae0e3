/** The formats of legends by their names. */
import { problem } from '../../../lib/problems/problem.ts';
import { isAmong } from '../../ows/format-names.ts';

export interface LegendFormat {
  readonly names: readonly [string, ...string[]];
  readonly encoding: 'png' | 'jpeg' | 'gif' | 'webp' | 'json';
  readonly mediaType: string;
}

const legendFormats: readonly LegendFormat[] = [
  { names: ['image/png', 'image/png8', 'image/png; mode=8bit'], encoding: 'png', mediaType: 'image/png' },
  { names: ['image/jpeg', 'image/jpg'], encoding: 'jpeg', mediaType: 'image/jpeg' },
  { names: ['image/gif'], encoding: 'gif', mediaType: 'image/gif' },
  { names: ['image/webp'], encoding: 'webp', mediaType: 'image/webp' },
  { names: ['application/json', 'json'], encoding: 'json', mediaType: 'application/json;charset=utf-8' },
];

export const legendFormatNames: readonly string[] = legendFormats.map(({ names }) => names[0]);

export function selectLegendFormat(name: string): LegendFormat {
  const format = legendFormats.find(({ names }) => isAmong(names, name));
  if (format === undefined) {
    throw problem('wms-format-unknown', { format: name, formats: legendFormatNames, field: 'format' });
  }
  return format;
}

/** The options of maps as KML. Each is a parameter, or one of the format options. */
import type { Parameters } from '../../ows/parameters.ts';
import { readParameter, type ServiceParameter } from '../../ows/service-parameters.ts';
import { kmlOptions } from '../request/parameters.ts';
import { computeMaxPlacemarks, VECTOR_SCORE, VIEW_SCORE } from './kml-score.ts';

export interface KmlOptions {
  /** A map with more features is an image; Infinity for placemarks in any case. */
  readonly maxPlacemarks: number;
  readonly hasDescriptions: boolean;
  readonly hasExtendedData: boolean;
  readonly hasPoints: boolean;
  readonly hasLegend: boolean;
  readonly title: string | undefined;
  /** Undefined for a map that is no tile of a super-overlay. */
  readonly superOverlay: SuperOverlayMode | undefined;
}

export type SuperOverlayMode = NonNullable<typeof kmlOptions.superOverlayMode.absent>;

export function readKmlOptions(parameters: Parameters, formatOptions: Parameters): KmlOptions {
  const read = <V>(declared: ServiceParameter<V>): V =>
    readParameter(parameters, declared) ?? readParameter(formatOptions, declared);
  const hasDescriptions = read(kmlOptions.attributes) ?? true;
  const isTile = read(kmlOptions.superOverlay) === true;
  return {
    // A map without a score contains the data, as in other vector formats.
    maxPlacemarks: computeMaxPlacemarks(read(kmlOptions.score) ?? (isTile ? VIEW_SCORE : VECTOR_SCORE)),
    hasDescriptions,
    hasExtendedData: read(kmlOptions.extendedData) ?? hasDescriptions,
    hasPoints: read(kmlOptions.placemarks) ?? false,
    hasLegend: read(kmlOptions.legend) ?? false,
    title: read(kmlOptions.title),
    superOverlay: isTile ? (read(kmlOptions.superOverlayMode) ?? 'auto') : undefined,
  };
}

/** What the settings of the WMS say about its answers. */
import type { SettingValues } from '../../../catalog/kinds/setting.ts';
import { findInterpolation, type Interpolation } from '../../../raster/warp/interpolate.ts';
import { readServiceSettings, type ServiceFacts } from '../../ows/service-settings.ts';

export interface WmsSettings {
  readonly facts: ServiceFacts;
  /** Of the layer that holds all others; that of the service where nobody has said so. */
  readonly rootTitle: string;
  readonly rootAbstract: string;
  /** Codes of the systems that lists offer; undefined for the usual ones and those of the layers. */
  readonly crs: readonly string[] | undefined;
  /** Whether each layer tells its box in each of those systems. */
  readonly hasBoxInEachCrs: boolean;
  /** The only formats that are offered, by any of their names; undefined for all. */
  readonly mapFormats: readonly string[] | undefined;
  readonly infoFormats: readonly string[] | undefined;
  /** Whether clients may bring styles along. */
  readonly takesStyles: boolean;
  /** How many pixels around a place are looked at, at most; infinite for no limit. */
  readonly maxBuffer: number;
  /** No map has more than this; a pixel takes four bytes. */
  readonly maxPixels: number;
  /** Infinite for no limit of its own. */
  readonly maxRenderingMs: number;
  /** How long a style of another server may take to come; infinite for no limit of its own. */
  readonly maxStyleMs: number;
  /** How coverages are read between their samples, unless a layer says it. */
  readonly interpolation: Interpolation;
  /** How many values of a dimension a request may name. */
  readonly maxDimensionValues: number;
  /** Whether a value that nothing is near to is refused, rather than drawn as nothing. */
  readonly refusesUnmatchedDimensions: boolean;
}

/** Enough for a poster; more fills the memory of a worker. */
const MAX_PIXELS = 16_000_000;
const BYTES_PER_PIXEL = 4;
const MAX_DIMENSION_VALUES = 100;

export function readWmsSettings(values: SettingValues): WmsSettings {
  const { facts, value, text, texts, limit, crsCodes } = readServiceSettings('wms', values);
  const isOn = (name: string): boolean => value(name) === true;
  return {
    facts,
    rootTitle: text('rootLayerTitle') || facts.title,
    rootAbstract: text('rootLayerAbstract') || facts.abstract,
    crs: crsCodes.length === 0 ? undefined : crsCodes,
    hasBoxInEachCrs: isOn('bboxForEachCRS'),
    mapFormats: isOn('getMapMimeTypeCheckingEnabled') ? texts('getMapMimeTypes') : undefined,
    infoFormats: isOn('getFeatureInfoMimeTypeCheckingEnabled') ? texts('getFeatureInfoMimeTypes') : undefined,
    takesStyles: !isOn('dynamicStylingDisabled'),
    maxBuffer: limit('maxBuffer'),
    maxPixels: Math.min(MAX_PIXELS, (limit('maxRequestMemory') * 1_024) / BYTES_PER_PIXEL),
    maxRenderingMs: limit('maxRenderingTime') * 1_000,
    maxStyleMs: Math.min(limit('remoteStyleTimeout'), limit('remoteStyleMaxRequestTime')),
    interpolation: findInterpolation(text('interpolation')) ?? 'nearest',
    maxDimensionValues: Math.min(limit('maxRequestedDimensionValues'), MAX_DIMENSION_VALUES),
    refusesUnmatchedDimensions: isOn('exceptionOnInvalidDimension'),
  };
}

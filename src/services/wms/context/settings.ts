/** The WMS settings. */
import type { SettingValues } from '../../../catalog/kinds/setting.ts';
import { findInterpolation, type Interpolation } from '../../../raster/warp/interpolate.ts';
import { readServiceSettings, type ServiceFacts } from '../../ows/service-settings.ts';

export interface WmsSettings {
  readonly facts: ServiceFacts;
  /** The title of the root layer; that of the service by default. */
  readonly rootTitle: string;
  readonly rootAbstract: string;
  /** The listed CRS codes; undefined for the defaults and those of the layers. */
  readonly crs: readonly string[] | undefined;
  /** Whether each layer has a box in each of those CRSs. */
  readonly hasBoxInEachCrs: boolean;
  /** The offered formats by any of their names; undefined for all. */
  readonly mapFormats: readonly string[] | undefined;
  readonly infoFormats: readonly string[] | undefined;
  /** Whether clients may send styles. */
  readonly takesStyles: boolean;
  /** The maximum search radius in pixels; Infinity for no limit. */
  readonly maxBuffer: number;
  /** The maximum number of pixels of a map; a pixel takes four bytes. */
  readonly maxPixels: number;
  /** Infinity for no limit of its own. */
  readonly maxRenderingMs: number;
  /** The time limit for fetching a remote style; Infinity for no limit of its own. */
  readonly maxStyleMs: number;
  /** The interpolation of coverages, unless the layer sets it. */
  readonly interpolation: Interpolation;
  /** The maximum number of dimension values in a request. */
  readonly maxDimensionValues: number;
  /** The maximum number of frames of an animation. */
  readonly maxFrames: number;
  /** Whether a value without a near match is rejected; otherwise the map is empty. */
  readonly refusesUnmatchedDimensions: boolean;
  readonly watermark: Watermark;
}

export interface Watermark {
  /** Whether all maps have it; otherwise those whose layout has it. */
  readonly isEnabled: boolean;
  /** The file or address of its picture; empty for none. */
  readonly url: string;
  /** Such as `BOT_RIGHT`. */
  readonly position: string;
  /** From 0 to 1. */
  readonly opacity: number;
}

/** Enough for a poster; more would fill the memory of a worker. */
const MAX_PIXELS = 16_000_000;
const BYTES_PER_PIXEL = 4;
const MAX_DIMENSION_VALUES = 100;
/** More frames take longer than a client waits. */
const MAX_FRAMES = 100;

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
    maxFrames: Math.min(limit('maxAllowedFrames'), MAX_FRAMES),
    refusesUnmatchedDimensions: isOn('exceptionOnInvalidDimension'),
    watermark: {
      isEnabled: isOn('watermark.enabled') && text('watermark.url') !== '',
      url: text('watermark.url'),
      position: text('watermark.position') || 'BOT_RIGHT',
      opacity: 1 - Number(value('watermark.transparency') ?? 0) / 100,
    },
  };
}

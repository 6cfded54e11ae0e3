/** Derives the settings of a whole map from its request. */
import { createLengths, type Lengths } from '../../styling/legend/values/lengths.ts';
import type { Symbolizer } from '../../styling/model/model.ts';
import { getLabelMargin } from '../labels/shared-labels.ts';
import { computeScale, createFrame, type Frame, STANDARD_DPI } from '../shapes/frame.ts';
import { type MapSystem, resolveMapSystem } from '../shapes/map-area.ts';
import type { MapRequest } from './map-request.ts';

export interface MapSettings {
  readonly request: MapRequest;
  readonly frame: Frame;
  readonly system: MapSystem;
  readonly scaleDenominator: number;
  /** The size of symbols relative to pixels of 0.28 mm. */
  readonly symbolFactor: number;
  /** The distance from the picture in which labels of features matter. */
  readonly labelMargin: number;
  readonly variables: Readonly<Record<string, string>>;
  readonly getLengths: (symbolizer: Pick<Symbolizer, 'uom'>) => Lengths;
}

/** The variables that every style can use, with the names and formats that styles expect. */
function createMapVariables(
  { width, height, box, system }: MapRequest,
  scaleDenominator: number,
): Readonly<Record<string, string>> {
  const { minX, minY, maxX, maxY } = box;
  const crs = system.code ?? '';
  return {
    wms_bbox: `${minX},${minY},${maxX},${maxY}`,
    wms_crs: crs,
    wms_srs: crs,
    wms_width: String(width),
    wms_height: String(height),
    wms_scale_denominator: String(scaleDenominator),
    kmlOutputMode: '',
  };
}

/** What the lengths of symbols depend on. */
export type MapScale = Pick<MapSettings, 'scaleDenominator' | 'symbolFactor'>;

/** Returns only what the lengths depend on, which can be sent to threads. */
export function getMapScale({ scaleDenominator, symbolFactor }: MapScale): MapScale {
  return { scaleDenominator, symbolFactor };
}

export function createMapLengths({ scaleDenominator, symbolFactor }: MapScale): MapSettings['getLengths'] {
  return ({ uom }) => ({ ...createLengths(uom, scaleDenominator), factor: symbolFactor });
}

export async function resolveMapSettings(request: MapRequest): Promise<MapSettings> {
  const { width, height, box, angle, dpi = STANDARD_DPI } = request;
  const frame = createFrame(width, height, box, angle);
  const system = await resolveMapSystem(request.system);
  const scaleDenominator = request.scaleDenominator ?? computeScale(frame, system.metresPerUnit, dpi);
  const symbolFactor = dpi / STANDARD_DPI;
  return {
    request,
    frame,
    system,
    scaleDenominator,
    variables: { ...request.variables, ...createMapVariables(request, scaleDenominator) },
    symbolFactor,
    labelMargin: request.adjacentTiles === undefined ? 0 : getLabelMargin(symbolFactor),
    getLengths: createMapLengths({ scaleDenominator, symbolFactor }),
  };
}

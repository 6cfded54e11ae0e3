/** Loads catalog styles as models, with the images they use. */
import { createGraphicLoader } from '../../catalog/styles/draw-style.ts';
import { getContentFile, loadStoredStyle } from '../../catalog/styles/read-style.ts';
import { Problem, problem } from '../../lib/problems/problem.ts';
import type { GraphicLoader } from '../../styling/legend/images/pictures.ts';
import { findUserStyle } from '../../styling/model/find-user-style.ts';
import type { UserStyle } from '../../styling/model/model.ts';
import type { MbLayersRequest, MbLayersText } from '../../styling/style-tasks.ts';
import { formatStyleName, loadMapStyleView, type MapStyle } from '../access/map-styles.ts';
import type { MapLayer } from '../access/published-map.ts';
import type { MapServices } from './map-services.ts';

/** A parsed style with its images. */
export interface ReadyStyle {
  /** The name for requests; undefined for a style in the request. */
  readonly name?: string;
  readonly model: UserStyle;
  readonly loadGraphic: GraphicLoader;
}

/** Throws a Problem if the style has no content or is invalid. */
export async function loadReadyStyle(services: MapServices, style: MapStyle, layer: MapLayer): Promise<ReadyStyle> {
  const { catalog, styles } = services;
  const view = await loadMapStyleView(catalog, style);
  return withStyleName(style, async () => {
    const { content } = getContentFile(view);
    const document = await styles.work.readModel(content, () => loadStoredStyle(styles.contents, view));
    return {
      name: formatStyleName(style),
      model: findUserStyle(document, listLayerNames(layer)) ?? refuseEmptyStyle(style),
      loadGraphic: createGraphicLoader(catalog, styles, style.style.parent),
    };
  });
}

/** Writes a style as layers of a MapLibre style. Throws a Problem if the style has no content or is invalid. */
export async function writeMbLayers(
  { catalog, styles }: MapServices,
  style: MapStyle,
  layer: MapLayer,
  target: Pick<MbLayersRequest, 'source' | 'prefix'>,
): Promise<MbLayersText> {
  const view = await loadMapStyleView(catalog, style);
  return withStyleName(style, async () => {
    const stored = await loadStoredStyle(styles.contents, view);
    const request = { ...target, layerNames: listLayerNames(layer) };
    return (await styles.work.writeMbLayers(stored, request)) ?? refuseEmptyStyle(style);
  });
}

/** Lists the names that a style document can give a layer. */
export function listLayerNames({ name, qualifiedName }: MapLayer): readonly string[] {
  return [qualifiedName, name];
}

async function withStyleName<T>(style: MapStyle, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Problem && error.status < 500 && error.code !== 'wms-layer-not-drawable') {
      throw createStyleProblem(style, `its style is invalid: ${error.message.replace(/\.$/, '')}`);
    }
    throw error;
  }
}

function refuseEmptyStyle(style: MapStyle): never {
  throw createStyleProblem(style, 'it contains no style');
}

function createStyleProblem(style: MapStyle, reason: string): Problem {
  return problem('wms-layer-not-drawable', { name: formatStyleName(style), reason, field: 'styles' });
}

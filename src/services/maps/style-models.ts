/** Loads catalog styles as models, with the images they use. */
import { createGraphicLoader } from '../../catalog/styles/draw-style.ts';
import { getContentFile, loadStoredStyle } from '../../catalog/styles/read-style.ts';
import { Problem, problem } from '../../lib/problems/problem.ts';
import type { GraphicLoader } from '../../styling/legend/images/pictures.ts';
import type { StyledLayerDescriptor, UserStyle } from '../../styling/model/model.ts';
import { formatStyleName, loadMapStyleView, type MapStyle } from '../access/map-styles.ts';
import type { MapLayer } from '../access/published-map.ts';
import type { MapServices } from './map-services.ts';

/** A parsed style with its images. */
export interface ReadyStyle {
  /** The name for requests; undefined for a style in the request. */
  readonly name?: string;
  readonly model: UserStyle;
  readonly loadGraphic: GraphicLoader;
  /** Changes whenever the style or its images change. */
  readonly version: string;
}

/** Throws a Problem if the style has no content or is invalid. */
export async function loadReadyStyle(services: MapServices, style: MapStyle, layer: MapLayer): Promise<ReadyStyle> {
  const { catalog, styles } = services;
  const view = await loadMapStyleView(catalog, style);
  try {
    const { content } = getContentFile(view);
    const document = await styles.work.readModel(content, () => loadStoredStyle(styles.contents, view));
    const model = findStyleForLayer(document, layer);
    if (model === undefined) throw createStyleProblem(style, 'it contains no style');
    return {
      name: formatStyleName(style),
      model,
      loadGraphic: createGraphicLoader(catalog, styles, style.style.parent),
      version: `${content} ${view.version} ${view.imageCount}`,
    };
  } catch (error) {
    if (error instanceof Problem && error.status < 500 && error.code !== 'wms-layer-not-drawable') {
      throw createStyleProblem(style, `its style is invalid: ${error.message.replace(/\.$/, '')}`);
    }
    throw error;
  }
}

function createStyleProblem(style: MapStyle, reason: string): Problem {
  return problem('wms-layer-not-drawable', { name: formatStyleName(style), reason, field: 'styles' });
}

/** Returns the style of a document for a layer: the one with its name, or else the first. */
export function findStyleForLayer({ layers }: StyledLayerDescriptor, layer: MapLayer): UserStyle | undefined {
  const named = layers.find(({ name }) => name === layer.qualifiedName || name === layer.name);
  return findDefaultStyle(named) ?? layers.map(findDefaultStyle).find((each) => each !== undefined);
}

function findDefaultStyle(layer: StyledLayerDescriptor['layers'][number] | undefined): UserStyle | undefined {
  const styles = (layer?.styles ?? []).filter((each): each is UserStyle => each.kind === 'userStyle');
  return styles.find(({ isDefault }) => isDefault) ?? styles[0];
}

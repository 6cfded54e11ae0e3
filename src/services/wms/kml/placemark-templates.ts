/** The names and descriptions of placemarks, from the templates `title.ftl` and `description.ftl` of a layer. */
import type { TemplateOutput } from '../../../lib/template/template.ts';
import type { Feature, FeatureTypeDescription } from '../../../vector/port/port.ts';
import type { MapLayer } from '../../access/published-map.ts';
import type { WmsContext } from '../context/context.ts';
import { createFeatureTable, createRequestValues, findLayerTemplate } from '../feature-info/info-templates.ts';

export interface PlacemarkTexts {
  /** Undefined if the layer has no template for it. */
  readonly title: string | undefined;
  /** As HTML. */
  readonly description: string | undefined;
}

/** Returns the texts of features, in their order. */
export type PlacemarkTextWriter = (
  description: FeatureTypeDescription,
  features: readonly Feature[],
) => Promise<readonly PlacemarkTexts[]>;

/** Returns undefined if the layer has no templates. The writer does not use the catalog. */
export async function openPlacemarkTemplates(
  { services, parameters, signal }: WmsContext,
  layer: MapLayer,
  variables: Readonly<Record<string, string>>,
  hasDescriptions: boolean,
): Promise<PlacemarkTextWriter | undefined> {
  const [title, description] = await Promise.all(
    ['title.ftl', 'description.ftl'].map(async (name) => {
      if (name === 'description.ftl' && !hasDescriptions) return undefined;
      const template = await findLayerTemplate(services, layer, name);
      return template && services.styles.contents.read(template.content);
    }),
  );
  if (title === undefined && description === undefined) return undefined;
  const values = createRequestValues({ parameters, environment: new Map(Object.entries(variables)) });
  return async (type, features) => {
    const table = createFeatureTable({ layer, description: type, features });
    const write = async (template: Uint8Array | undefined, output: TemplateOutput): Promise<readonly string[]> => {
      if (template === undefined || features.length === 0) return [];
      const parts = [{ template: 0, values, table, isForEach: true }];
      const rendered = await services.styles.templates.evaluate({ templates: [template], output, parts }, signal);
      return rendered.map(({ text }) => text.trim());
    };
    const titles = await write(title, 'text');
    const descriptions = await write(description, 'html');
    return features.map((_, index) => ({ title: titles[index], description: descriptions[index] }));
  };
}

/** Formats features with the templates that administrators have stored for their layers. */
import { type Template, templateKind } from '../../../catalog/kinds/template.ts';
import { Problem } from '../../../lib/problems/problem.ts';
import type { TemplateObject, TemplateOutput } from '../../../lib/template/template.ts';
import type { FeatureTable, TableCell } from '../../../styling/templates/feature-values.ts';
import type { TemplatePart } from '../../../styling/templates/template-tasks.ts';
import type { Attribute, Feature } from '../../../vector/port/port.ts';
import type { MapLayer } from '../../access/published-map.ts';
import type { FoundOnLayer } from '../../maps/draw-published.ts';
import type { MapServices } from '../../maps/map-services.ts';
import type { Parameters } from '../../ows/parameters.ts';
import { formatInfoValue } from './features-as-text.ts';

/** What templates can use besides features. */
export interface TemplateContext {
  readonly services: MapServices;
  /** The parameters of the request. */
  readonly parameters: Parameters;
  /** The values of the parameter `env`. */
  readonly environment: ReadonlyMap<string, string>;
  readonly warn: (sentence: string) => void;
  readonly signal: AbortSignal;
}

/** The names of the templates of a format. */
export interface InfoTemplateNames {
  readonly header: string;
  readonly content: string;
  readonly footer: string;
}

export const htmlTemplates: InfoTemplateNames = { header: 'header.ftl', content: 'content.ftl', footer: 'footer.ftl' };
export const jsonTemplates: InfoTemplateNames = {
  header: 'header_json.ftl',
  content: 'content_json.ftl',
  footer: 'footer_json.ftl',
};

export interface TemplatedInfo {
  /** Undefined if no template exists. */
  readonly header: string | undefined;
  readonly footer: string | undefined;
  /** One for each layer with features; undefined if the layer has no template. */
  readonly contents: readonly { readonly found: FoundOnLayer; readonly text: string | undefined }[];
  /** The names of the templates that are used. */
  readonly templateNames: readonly string[];
}

/** Returns undefined if no template applies. The header and the footer of several layers are the global ones. */
export async function applyInfoTemplates(
  context: TemplateContext,
  found: readonly FoundOnLayer[],
  names: InfoTemplateNames,
  output: TemplateOutput,
): Promise<TemplatedInfo | undefined> {
  const shown = found.filter(({ features }) => features.length > 0);
  const only = found.length === 1 ? found[0]?.layer : undefined;
  const [header, footer, ...contents] = await Promise.all([
    findLayerTemplate(context.services, only, names.header),
    findLayerTemplate(context.services, only, names.footer),
    ...shown.map(({ layer }) => findLayerTemplate(context.services, layer, names.content)),
  ]);
  if ([header, footer, ...contents].every((template) => template === undefined)) return undefined;
  const values = createRequestValues(context);
  const uses = [
    { template: header },
    ...shown.map((each, index) => ({ template: contents[index], table: createFeatureTable(each) })),
    { template: footer },
  ];
  const texts = await evaluateUses(context, uses, values, output).catch((error: unknown) => {
    // Older versions stored any text as a template.
    if (!(error instanceof Problem) || error.code !== 'template-invalid') throw error;
    context.warn(`A template is ignored: ${error.message}`);
    return undefined;
  });
  if (texts === undefined) return undefined;
  return {
    header: texts[0],
    footer: texts.at(-1),
    contents: shown.map((each, index) => ({ found: each, text: texts[index + 1] })),
    templateNames: [
      ...new Set([header, ...contents, footer].flatMap((template) => (template === undefined ? [] : [template.name]))),
    ],
  };
}

interface TemplateUse {
  readonly template: Template | undefined;
  readonly table?: FeatureTable;
}

async function evaluateUses(
  { services, warn, signal }: TemplateContext,
  uses: readonly TemplateUse[],
  values: TemplateObject,
  output: TemplateOutput,
): Promise<readonly (string | undefined)[]> {
  const templates: Template[] = [];
  const parts: TemplatePart[] = [];
  for (const { template, table } of uses) {
    if (template === undefined) continue;
    if (!templates.some(({ id }) => id === template.id)) templates.push(template);
    const index = templates.findIndex(({ id }) => id === template.id);
    parts.push({ template: index, values, ...(table === undefined ? {} : { table }) });
  }
  const bytes = await Promise.all(templates.map(({ content }) => services.styles.contents.read(content)));
  const rendered = await services.styles.templates.evaluate({ templates: bytes, output, parts }, signal);
  for (const [index, { undefinedNames }] of rendered.entries()) {
    const { name } = templates[parts[index]?.template ?? 0] ?? { name: '' };
    for (const each of undefinedNames) warn(`The template '${name}' uses '${each}', which has no value.`);
  }
  let next = 0;
  return uses.map(({ template }) => {
    if (template === undefined) return undefined;
    next += 1;
    return rendered[next - 1]?.text;
  });
}

/** Looks in the folders of the type, of its store and of its workspace, and in the global one. */
export async function findLayerTemplate(
  { catalog }: Pick<MapServices, 'catalog'>,
  layer: Pick<MapLayer, 'resource' | 'workspace'> | undefined,
  name: string,
): Promise<Template | undefined> {
  const folders = layer === undefined ? [null] : [layer.resource.id, layer.resource.parent, layer.workspace.id, null];
  const templates = await Promise.all(folders.map((folder) => catalog.find(templateKind, folder, name)));
  return templates.find((template) => template !== undefined);
}

/** Returns `request` and `env`. Names are in lower case, and templates find them in any case. */
export function createRequestValues({
  parameters,
  environment,
}: Pick<TemplateContext, 'parameters' | 'environment'>): TemplateObject {
  return new Map<string, TemplateObject>([
    ['request', new Map(parameters)],
    ['env', new Map(environment)],
  ]);
}

export function createFeatureTable({
  layer,
  description,
  features,
}: Pick<FoundOnLayer, 'description' | 'features'> & { readonly layer: Pick<MapLayer, 'name'> }): FeatureTable {
  const { attributes } = description;
  return {
    typeName: layer.name,
    attributes: attributes.map(({ name, type, kind }) => ({ name, type, isGeometry: kind === 'geometry' })),
    rows: features.map(({ id, values }) => ({
      id,
      cells: attributes.map((attribute, place) => toCell(values[place] ?? null, attribute)),
    })),
  };
}

function toCell(value: Feature['values'][number], attribute: Attribute): TableCell {
  if (value === null) return undefined;
  return typeof value === 'object'
    ? formatInfoValue(value, attribute)
    : typeof value === 'bigint'
      ? String(value)
      : value;
}
